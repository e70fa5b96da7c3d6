--[[
Decides when the processes of one account send requests. Redis runs it as one atomic step.

KEYS[1] is a hash with the state of the bucket, KEYS[2] a sorted set of its members by the time of
their last call. ARGV[1] is a JSON object: what a process reports and how many permits it wants.
The result is a JSON object with permits. Times are milliseconds, rates requests per millisecond.

Modes: 0 no limit met yet, 1 a limit with a burst (learn the rate between two refusals, as
ProvenRate does), 2 a limit without a burst whose interval is measured, 3 the interval is known.
]]
local ask = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local maxWait, memberMs, keepMs = 3600000, 2000, 600000

local b = {
  mode = 0, gen = 1, credit = 4, rate = 0, hold = 0.07, steady = now, since = now, passed = 0,
  edge = now, edges = 0, refs = 0, exhausted = 0, limited = 0, accepted = 0, lastOk = 0,
  nextAt = now, stop = 0, gap = 0, low = 0, high = 0, steps = 0, margin = 0.02, quiet = 0,
  hand = 0.03, retest = 60, due = 0, doubt = 0, solo = 0, soloKind = 0, soloUntil = 0,
  advertised = 0, advertisedAt = 0, grantAt = now, at = now,
}
local stored = redis.call('HGETALL', KEYS[1])
local isNew = #stored == 0
for i = 1, #stored, 2 do b[stored[i]] = tonumber(stored[i + 1]) end
-- A flushed bucket resumes at what the first process knows.
if isNew and ask.known then for name, known in pairs(ask.known) do b[name] = known end end
-- After the clock was set back, no stored time means anything.
if now < b.at - 1000 then
  for _, name in ipairs({ 'steady', 'since', 'edge', 'nextAt', 'grantAt' }) do b[name] = now end
  b.passed, b.refs, b.stop, b.soloUntil, b.lastOk, b.advertisedAt = 0, 0, 0, 0, 0, 0
  redis.call('DEL', KEYS[2])
end
b.at = now

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - memberMs)
if ask.leaves then redis.call('ZREM', KEYS[2], ask.id)
else redis.call('ZADD', KEYS[2], now, ask.id) end
local members = math.max(1, redis.call('ZCARD', KEYS[2]))
local rtt = math.max(1, math.min(250, ask.rtt))

-- The intervals or requests that are still in doubt: search mode measures the interval.
local function search()
  b.mode, b.low, b.high, b.steps, b.gap = 2, 0, 0, 0, math.max(2, rtt)
end

local function startTest() b.due, b.doubt = 1, 0 end

-- Extends a series of refusals, and waits longer before each probe.
local function refuseAgain(sentAt)
  b.refs = b.refs + 1
  local ms = sentAt - b.edge
  if b.refs >= 5 and ms >= (b.limited == 1 and 300000 or 130000) then b.exhausted = 1 end
  b.nextAt = math.max(b.nextAt, now + math.min(ms, b.limited == 1 and 15000 or 2000))
end

local function learnRate(r)
  if b.rate == 0 then
    b.rate, b.hold, b.mode = 2 / rtt, 0.07, 1
    b.nextAt = now + rtt
    if b.accepted <= 3 then b.doubt = 1 end
  else
    local proven = (b.passed + 1) / math.max(1, r.at - b.since)
    local tried = r.spacing > 0 and 1 / r.spacing or b.rate
    b.rate = math.min(tried, proven ^ (2 / 3) * tried ^ (1 / 3))
    -- A rate that was measured over few requests, or far below the tried one, is tested soon.
    b.hold = math.max(0.03, math.min(1, b.passed / 100) * (proven / tried > 0.85 and 1 or 0.2))
    b.nextAt = math.max(b.nextAt, now) + 4 / b.rate
  end
  b.steady = b.nextAt
  if b.doubt == 1 or b.edges == 3 then startTest() end
end

-- Corrects the interval after a refused request; `gap` is the time since the last accepted one.
local function learnInterval(r)
  if r.gap < 0 then
    b.hand = math.min(0.25, b.hand * 1.4)
    return
  end
  if r.gap > 1.5 * r.spacing then b.gap = math.max(b.gap, r.gap * 1.05)
  else
    if b.quiet < 50 then b.margin = math.min(0.06, b.margin * 1.25)
    elseif b.quiet > 200 then b.margin = math.max(0.012, b.margin * 0.9) end
    b.gap = r.spacing * (1 + b.margin)
  end
  b.quiet = 0
end

for _, sentAt in ipairs(ask.accepted) do
  b.accepted = b.accepted + 1
  b.quiet = b.quiet + 1
  b.lastOk = math.max(b.lastOk, sentAt)
  if sentAt > b.since then
    b.passed = b.passed + 1
    if b.passed >= 100 then
      b.passed = b.passed / 2
      b.since = b.since + (sentAt - b.since) / 2
    end
  end
end
if #ask.accepted > 0 then
  b.refs, b.exhausted, b.limited = 0, 0, 1
  b.credit = math.min(1000000, b.credit + 2 * #ask.accepted)
  b.hand = math.max(0.02, b.hand * 0.998 ^ #ask.accepted)
end
b.credit = b.credit + ask.failed
if ask.advertised > 0 then b.advertised, b.advertisedAt = ask.advertised, now end
if ask.stop > maxWait then b.exhausted = 1
elseif ask.stop > 0 then b.stop, b.limited = math.max(b.stop, now + ask.stop), 1 end

for _, r in ipairs(ask.refused) do
  if r.wait > maxWait then b.exhausted = 1
  elseif r.wait > 2000 then b.stop = math.max(b.stop, now + r.wait) end
  if r.wait > 0 then b.limited = 1 end
  -- Requests that were permitted before the last decision prove nothing new.
  if r.gen >= b.gen then
    b.gen = b.gen + 1
    local isStreak = b.edges > 0 and b.passed == 0
    if b.mode == 3 then learnInterval(r)
    elseif not isStreak and b.mode < 2 then
      b.edges = b.edges + 1
      learnRate(r)
    end
    if isStreak then refuseAgain(r.at)
    else
      b.edges = math.max(1, b.edges)
      b.edge, b.since, b.passed = r.at, r.at, 0
    end
  end
end

-- Results of permits that were granted to one process while all others waited.
local function endTest(passed)
  if passed == 3 then
    if b.mode >= 2 and b.gap > 0 then b.rate, b.hold = 1 / b.gap, 0.3 end
    b.mode, b.steady, b.since, b.passed = 1, now, now, 0
  elseif b.mode < 2 then search() end
end

local function endPair(solo)
  b.steps = b.steps + 1
  local first, second = solo.results[1], solo.results[2]
  if not first or not first.passed then
    if first and b.lastOk > 0 then b.low = math.max(b.low, math.min(first.at - b.lastOk, 60000)) end
    if first then
      if b.refs == 0 then b.edge = b.lastOk > 0 and b.lastOk or first.at end
      refuseAgain(first.at)
      b.nextAt = math.min(b.nextAt, now + math.max(2 * b.low, 2 * rtt))
    end
    if b.high > 0 and b.low >= b.high then b.high = 0 end
  elseif second then
    local gap = second.at - first.at
    if second.passed then b.high = b.high > 0 and math.min(b.high, gap) or gap
    else b.low = math.max(b.low, gap) end
  end
  if b.high > 0 and (b.low > 0 or b.high <= 1) and (b.high <= 1.08 * b.low or b.steps > 40) then
    b.mode, b.gap, b.margin, b.quiet, b.since, b.passed = 3, b.high, 0.02, 0, now, 0
    b.edge, b.nextAt = now, math.max(now, b.lastOk + b.high)
  elseif b.high == 0 then b.gap = math.max(2 * b.low, b.gap)
  elseif b.low == 0 then b.gap = b.high / 8
  else b.gap = math.sqrt(b.low * b.high) end
end

if ask.solo and ask.solo.id == b.solo then
  b.soloUntil = 0
  if b.soloKind == 3 then
    local passed = 0
    for _, result in ipairs(ask.solo.results) do if result.passed then passed = passed + 1 end end
    endTest(passed)
    b.nextAt = math.max(b.nextAt, now)
  elseif b.soloKind == 2 and b.mode == 2 then endPair(ask.solo) end
end
if b.mode == 3 and b.accepted >= b.retest then
  b.retest = b.accepted * 8
  startTest()
end

local advertised = now - b.advertisedAt < 60000 and b.advertised or 0
local function spacing()
  local ms = 0
  if b.mode == 1 then
    -- Holds the rate, then increases it ever faster until a refusal (CUBIC, RFC 9438).
    local beyond = math.max(0, (now - b.steady) / (b.hold * (6000 + 9 / b.rate)) - 1)
    ms = 1 / (b.rate * (1 + 0.03 * beyond ^ 4))
  elseif b.mode >= 2 then
    ms = b.gap / (1 + b.margin * 2 ^ math.min(40, 5 * (b.quiet - 150) / 150))
  end
  if advertised > 0 then ms = math.max(ms, 1 / advertised) end
  return ms
end

local reply = { now = string.format('%.3f', now), members = members, isNew = isNew }
local function grant(count, first, ms, kind)
  reply.count, reply.first, reply.spacing, reply.kind = count, first - now, ms, kind
  b.grantAt = now
end
local function grantAlone(count, first, ms, kind)
  b.solo, b.soloKind = b.solo + 1, kind
  b.soloUntil = first + count * ms + math.max(1000, 4 * rtt)
  b.nextAt = math.max(b.nextAt, first + count * ms)
  reply.solo = b.solo
  grant(count, first, ms, kind)
end

if ask.want > 0 then
  local ms = spacing()
  local first = math.max(b.nextAt, b.stop, now)
  local slice = math.min(150, 1200 / members)
  if b.exhausted == 1 then grant(1, now, 0, 0)
  elseif b.soloUntil > now then reply.retry = math.max(2, math.min(50, rtt / 2))
  elseif b.stop > now then reply.retry = b.stop - now
  elseif b.refs > 0 and b.mode ~= 2 then
    if b.nextAt > now then reply.retry = b.nextAt - now else grantAlone(1, now, 0, 1) end
  elseif b.due == 1 and b.mode > 0 then
    -- A burst refills in this pause.
    local pause = b.mode == 1 and 4 / b.rate or 3.5 * b.gap
    b.due = 0
    grantAlone(3, math.max(first, b.lastOk + pause), 0, 3)
  elseif b.mode == 2 then
    local pause = b.high > 0 and 1.02 * b.high or b.gap
    grantAlone(2, math.max(first, b.lastOk + pause), b.gap, 2)
  elseif first > now + math.max(2000, ms) then reply.retry = first - now - 1000
  elseif ms == 0 then
    if b.credit < 1 and now - b.grantAt > 1000 then b.credit = 4 end
    local count = math.floor(math.min(ask.want, b.credit))
    if count < 1 then reply.retry = math.max(1, math.min(20, rtt / 4))
    else
      b.credit = b.credit - count
      grant(count, now, 0, 0)
    end
  else
    -- A limit with a burst accepts requests that catch up; without one, they are too early.
    if b.mode < 2 and b.stop <= now then first = math.max(b.nextAt, now - 10) end
    if b.mode == 1 then b.steady = b.steady + math.max(0, first - b.nextAt) end
    if b.mode == 3 and b.last ~= ask.number then first = first + b.hand * ms end
    local count = math.max(1, math.min(ask.want, math.floor(slice / ms)))
    b.nextAt, b.last = first + count * ms, ask.number
    grant(count, first, ms, b.mode == 3 and 3 or 1)
    reply.isStrict = b.mode == 3
  end
end

reply.gen, reply.exhausted = b.gen, b.exhausted == 1
local ms = spacing()
if ms > 0 then reply.rate = 1 / ms end
if b.refs > 0 then
  reply.since = b.edge - now
  reply.untilMs = b.edge + (b.limited == 1 and 300000 or 130000) - now
end
reply.known = { mode = b.mode == 2 and 0 or b.mode, rate = b.rate, gap = b.gap, edges = b.edges }

local fields = {}
for name, number in pairs(b) do
  fields[#fields + 1] = name
  fields[#fields + 1] = string.format('%.17g', number)
end
redis.call('HSET', KEYS[1], unpack(fields))
local keep = math.ceil(keepMs + math.max(0, b.stop - now))
redis.call('PEXPIRE', KEYS[1], keep)
redis.call('PEXPIRE', KEYS[2], keep)
return cjson.encode(reply)

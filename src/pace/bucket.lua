--[[
Decides when the processes of one account send requests. Redis runs it as one atomic step.

KEYS[1] is a hash with the state of the bucket, KEYS[2] a sorted set of its members by the time of
their last call. ARGV[1] is a JSON object: what a process reports and how many permits it wants.
The result is a JSON object with permits. Times are milliseconds, rates requests per millisecond.

Modes: 0 no rate measured yet, 1 a limit with a burst (learn the rate between two refusals, as
ProvenRate does), 2 a limit without a burst whose interval is measured, 3 the interval is known.
]]
local ask = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local maxWait, memberMs, keepMs = 3600000, 2000, 600000

local b = {
  mode = 0, gen = 1, credit = 2, rate = 0, hold = 0.07, steady = now, since = now, passed = 0,
  edge = now, edges = 0, refs = 0, exhausted = 0, limited = 0, accepted = 0, lastOk = 0, from = 0,
  nextAt = now, stop = 0, gap = 0, low = 0, high = 0, steps = 0, level = 1, quiet = 0, hand = 0.03,
  testAt = 300, test = 0, due = 0, short = 0, solo = 0, soloKind = 0, soloUntil = 0,
  advertised = 0, advertisedAt = 0, grantAt = now, at = now, grown = 2,
}
local stored = redis.call('HGETALL', KEYS[1])
local isNew = #stored == 0
for i = 1, #stored, 2 do b[stored[i]] = tonumber(stored[i + 1]) end
-- A flushed bucket resumes at what the first process knows.
if isNew and ask.known then for name, known in pairs(ask.known) do b[name] = known end end
if isNew and b.mode == 3 then b.level = 3 end
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
-- A permit must arrive before its time.
local soonest = now + ask.delay

-- Starts to measure the interval of a limit without a burst.
local function search()
  b.mode, b.low, b.high, b.steps, b.gap = 2, 0, 0, 0, math.max(2, rtt)
end

local function startTest() b.due, b.short = 1, 0 end

-- Extends a series of refusals, and waits longer before each probe.
local function refuseAgain(sentAt)
  b.refs = b.refs + 1
  local ms = sentAt - b.edge
  if b.refs >= 5 and ms >= (b.limited == 1 and 300000 or 130000) then b.exhausted = 1 end
  b.nextAt = math.max(b.nextAt, now + math.min(ms, b.limited == 1 and 15000 or 2000))
end

local function learnRate(r)
  if b.edges == 1 then
    -- The next refusal measures how much the limit permits after this pause.
    b.credit, b.nextAt = 2, now + math.max(150, rtt)
    if b.accepted <= 3 then startTest() end
  else
    local proven = (b.passed + 1) / math.max(1, now - b.since)
    local tried = r.spacing > 0 and 1 / r.spacing or b.rate > 0 and b.rate or proven
    local before = b.rate
    b.mode = 1
    local isFirst = b.hold < 0.3 and proven < tried / 2
    b.rate = math.min(tried, isFirst and 1.1 * proven or proven ^ (2 / 3) * tried ^ (1 / 3))
    b.short = b.passed < 10 and b.short + 1 or 0
    -- A rate that was measured over few requests, or far below the tried one, is tested soon.
    local trust = math.abs(proven / before - 1) < 0.15 and 1 or 0.2
    b.hold = math.max(0.1, math.min(1, b.passed / 100) * trust)
    b.nextAt = math.max(b.nextAt, now) + 4 / b.rate
  end
  b.steady = b.nextAt
  -- Without a burst, a steady rate meets refusals all the time.
  if b.short >= 6 then startTest() end
end

-- Without a burst, accepted requests shorten the interval, first by this share, and ever faster
-- after `quiet` of them. A refused request lengthens it. The first levels find the interval. At the
-- last one, about one of two hundred requests is refused.
local levels = {
  { share = 0.025, quiet = 0, double = 1000, longer = 1.06 },
  { share = 0.001, quiet = 20, double = 10, longer = 1.015 },
  { share = 0.0002, quiet = 80, double = 25, longer = 1.01 },
  { share = 0.00005, quiet = 300, double = 40, longer = 1.01 },
}

local function shorterBy()
  local level = levels[b.level]
  return math.min(0.025, level.share * 2 ^ (math.max(0, b.quiet - level.quiet) / level.double))
end

-- The accepted requests of `ask` were `ask.spacing` apart.
local function shortenInterval()
  local count = ask.accepted
  local share = shorterBy()
  b.quiet = b.quiet + count
  b.gap = math.min(b.gap, math.max(b.gap * (1 - share) ^ count, ask.spacing * (1 - 2 * share)))
end

local maxHand = 0.1

local function lengthenInterval(r)
  if r.gap < 0 then
    -- Another process sent shortly before.
    b.hand = math.min(maxHand, b.hand * 1.4)
    if b.level > 2 and b.hand < maxHand then return end
  end
  -- No process sent, so the limit decreased.
  if r.gap > 1.5 * r.spacing then b.gap = math.max(b.gap, math.min(1.05 * r.gap, 2 * r.spacing)) end
  local share = shorterBy()
  b.gap = math.max(b.gap, r.spacing * math.max(levels[b.level].longer, 1 + 2.4 * share))
  -- After a fast change, and after a late request, the interval may be wrong.
  if b.level < #levels and b.quiet >= 10 then b.level = b.level + 1
  elseif share > 0.004 then b.level = 2 end
  b.quiet = 0
end

b.accepted = b.accepted + ask.accepted
b.lastOk = math.max(b.lastOk, ask.acceptedAt)
for _ = 1, ask.accepted do
  -- Reports are late by the same time at the beginning and at the end of a measurement.
  b.passed = b.passed + 1
  if b.passed >= 400 then b.passed, b.since = b.passed / 2, b.since + (now - b.since) / 2 end
end
if ask.accepted > 0 then
  -- A series of refusals proves nothing about the rate.
  if b.refs > 0 and b.mode == 1 then b.steady, b.since = now, now end
  b.refs, b.exhausted, b.limited = 0, 0, 1
  -- A slow start meets a limit with few requests in flight.
  local growth = 1 + math.min(0.4, b.passed / 100)
  b.credit = math.min(1000000, b.credit + growth * ask.accepted)
  b.hand = math.max(0.02, b.hand * 0.9995 ^ ask.accepted)
  if b.mode == 3 and ask.spacing > 0 then shortenInterval() end
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
    if b.mode == 3 then lengthenInterval(r)
    elseif not isStreak and b.mode < 2 then
      b.edges = b.edges + 1
      learnRate(r)
    end
    if isStreak then refuseAgain(r.at)
    else
      b.edges = math.max(1, b.edges)
      b.edge, b.since, b.passed = r.at, now, 0
    end
  end
end

-- Results of permits that were granted to one process while all others waited.
local function endTest(passed, count)
  if passed == count then
    if b.mode >= 2 and b.gap > 0 then b.rate, b.hold = 1 / b.gap, 0.3 end
    -- Without a rate, the slow start continues until the next refusal measures one.
    if b.rate > 0 then b.mode = 1 end
    b.steady, b.since, b.passed = now, now, 0
  elseif b.mode < 2 then search() end
end

local function countTest()
  local passed, count = 0, #ask.solo.results
  for _, result in ipairs(ask.solo.results) do if result.passed then passed = passed + 1 end end
  if count < 2 then return end
  -- Accepted requests that were not sent at once prove nothing, nor does a dropped test.
  local spread = ask.solo.results[count].at - ask.solo.results[1].at
  if passed < count or spread <= (b.mode == 3 and b.gap / 2 or 10) then endTest(passed, count) end
end

local maxGap = 60000

local function endPair(solo)
  b.steps = b.steps + 1
  local first, second = solo.results[1], solo.results[2]
  if not second then return end
  if not first.passed then
    if b.refs == 0 then b.edge = b.from > 0 and b.from or first.at end
    refuseAgain(first.at)
    b.nextAt = math.min(b.nextAt, now + 4 * b.gap)
    b.gap = math.min(maxGap, 2 * b.gap)
    return
  end
  local gap = second.at - first.at
  if second.passed then b.high = b.high > 0 and math.min(b.high, gap) or gap
  else b.low = math.max(b.low, gap) end
  if b.high > 0 and b.low > b.high then b.low = 0 end
  if b.high > 0 and (b.low > 0 or b.high <= 1) and (b.high <= 1.5 * b.low or b.steps > 12) then
    b.mode, b.gap, b.level, b.quiet, b.since, b.passed = 3, b.high, 1, 0, now, 0
    b.edge, b.nextAt = now, math.max(now, b.lastOk + b.high)
  elseif b.high == 0 then b.gap = math.min(maxGap, math.max(4 * b.low, b.gap))
  elseif b.low == 0 then b.gap = b.high / 8
  else b.gap = math.sqrt(b.low * b.high) end
end

if ask.solo and ask.solo.id < 0 then
  if ask.solo.id == -b.test and b.mode == 3 then countTest() end
elseif ask.solo and ask.solo.id == b.solo then
  b.soloUntil = 0
  if b.soloKind == 3 then
    countTest()
    b.nextAt = math.max(b.nextAt, now)
  elseif b.soloKind == 2 and b.mode == 2 then endPair(ask.solo) end
end

local advertised = now - b.advertisedAt < 60000 and b.advertised or 0

-- While the rate grew to a multiple, few requests were permitted: they do not prove the limit.
local function restartMeasurement(growth)
  if growth == 1 then b.grown = 2
  elseif growth >= 2 * b.grown and b.passed > 0 then b.grown, b.passed, b.since = growth, 1, now end
end

local function spacing()
  local ms = 0
  if b.mode == 1 then
    -- Holds the rate, then increases it ever faster until a refusal (CUBIC, RFC 9438).
    local holdMs = b.hold * (4000 + 9 / b.rate)
    local beyond = math.max(0, (math.min(now, b.nextAt) - b.steady) / holdMs - 1)
    -- Permits that are granted already delay the reaction to a refusal, so the growth is bounded.
    local growth = 1 + 0.03 * math.min(2, beyond) ^ 4
    if beyond > 2 then growth = growth * 2 ^ math.min(40, (beyond - 2) * holdMs / 1500) end
    restartMeasurement(growth)
    ms = 1 / (b.rate * growth)
  elseif b.mode >= 2 then
    ms = b.gap
  end
  if advertised > 0 then ms = math.max(ms, 1 / advertised) end
  return ms
end

local reply = { now = string.format('%.3f', now), members = members, isNew = isNew }
local function grant(count, first, ms)
  reply.count, reply.first, reply.spacing = count, first - now, ms
  b.grantAt = now
end
local function grantAlone(count, first, ms, kind)
  b.solo, b.soloKind = b.solo + 1, kind
  -- The results of a slow service arrive late; without them, the search learns nothing.
  local resultMs = math.max(1000, 4 * rtt, 1.5 * math.min(20000, ask.rtt))
  b.soloUntil = first + count * ms + 2 * ask.delay + resultMs
  b.nextAt = math.max(b.nextAt, first + count * ms)
  reply.solo = b.solo
  grant(count, first, ms)
end

if ask.want > 0 then
  local ms = spacing()
  local first = math.max(b.nextAt, b.stop, soonest)
  -- Permits that are granted far ahead delay the reaction to a refusal; without a burst, they avoid
  -- that the requests of two processes collide.
  local slice = math.min(b.mode == 3 and 120 or 40, (b.mode == 3 and 2000 or 240) / members)
  -- While a call to a slow server is in progress, the process uses its last lease.
  local minSlice = 6 * ask.delay / members
  slice = math.max(slice, minSlice)
  -- Every process may have one lease ahead, so that they take turns.
  local turn = 1.2 * members * math.max(slice, ms)
  local maxTurn = b.mode == 3 and 2000 or math.max(400, 6 * ask.delay)
  local horizon = math.max(b.mode == 3 and 2000 or 120, 2 * ms, math.min(maxTurn, turn))
  if b.mode == 3 then slice = b.level == 1 and 4 * ms or math.max(slice, 2 * ms) end
  if b.mode == 3 and shorterBy() > 0.0006 then horizon = slice end
  if b.mode == 1 and b.hold < 0.3 then
    slice, horizon = math.max(6, minSlice), math.max(40, 2 * ms, 6 * ask.delay)
  end
  if b.exhausted == 1 then grant(1, soonest, 0)
  elseif b.soloUntil > now then reply.retry = math.max(5, 2 * members, math.min(50, rtt / 2))
  elseif b.stop > now then reply.retry = b.stop - now
  elseif b.refs > 0 and b.mode ~= 2 then
    if b.nextAt > now then reply.retry = b.nextAt - now else grantAlone(1, soonest, 0, 1) end
  elseif b.due == 1 then
    -- A burst refills in this pause.
    b.due = 0
    grantAlone(3, first + (b.rate > 0 and 4 / b.rate or 0), 0, 3)
  elseif b.mode == 2 then
    local pause = b.high > 0 and 1.02 * b.high or 4 * b.gap
    b.from = b.lastOk
    grantAlone(2, math.max(first, b.lastOk + pause), b.gap, 2)
  elseif first > soonest + horizon then
    -- The rate may grow, and a process calls as often anyway to stay a member.
    reply.retry = math.max(2, math.min(500, math.max((first - now) / 2, turn / 4)))
  elseif ms == 0 then
    if b.credit < 1 and now - b.grantAt > 1000 then b.credit = 4 end
    local count = math.floor(math.min(ask.want, b.credit))
    if first > soonest then reply.retry = first - soonest
    elseif count < 1 then reply.retry = math.max(1, members / 4, math.min(20, rtt / 4))
    else
      b.credit = b.credit - count
      grant(count, soonest, 0)
    end
  elseif b.mode == 3 and b.accepted >= b.testAt then
    -- Three requests at once after an unused interval: a limit without a burst refuses two.
    b.test, b.testAt, b.nextAt, b.last = b.accepted, b.accepted * 10, first + 2 * ms, -1
    reply.probe = -b.test
    grant(3, first + ms, 0)
  else
    -- A limit with a burst accepts requests that catch up; without one, they are too early.
    if b.mode < 2 and b.stop <= now then first = math.max(b.nextAt, soonest - 10) end
    if b.mode == 1 then
      -- Time in which no process wants permits proves nothing.
      local idleMs = math.max(0, first - b.nextAt)
      b.steady = b.steady + idleMs
      if idleMs > 1000 then b.since = math.min(now, b.since + idleMs) end
    end
    if b.mode == 3 then
      reply.isContinued = b.last == ask.number
      if not reply.isContinued then first = first + b.hand * ms end
      reply.least = 0.99 * ms
    end
    local count = math.max(1, math.min(ask.want, math.floor(slice / ms)))
    b.nextAt, b.last = first + count * ms, ask.number
    grant(count, first, ms)
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

-- Hands out permits, and stores the state of the bucket; the last part of the script.

local advertised = now - b.advertisedAt < 60000 and b.advertised or 0

-- While the rate grew to a multiple, few requests were permitted: they do not prove the limit.
local function restartMeasurement(growth)
  if growth == 1 then b.grown = 2
  elseif growth >= 2 * b.grown and b.passed > 0 then
    b.grown = growth
    measureAgain(1)
  end
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
    slice = math.max(6, math.min(12, 6 / ms), minSlice)
    horizon = math.max(40, 2 * ms, 6 * ask.delay)
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

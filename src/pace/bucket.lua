--[[
Shares one rate limit: learns the rate from the outcomes that processes report, and hands out the
times of their requests. Redis runs it in one atomic step, on its own clock.

KEYS[1] is a hash with the state, KEYS[2] a sorted set of the processes by the time of their last
call. ARGV[1] is a JSON object, `Report` of shared-pacer.ts, and the result is its `Reply`. Times
are milliseconds, rates requests per millisecond.
]]
local ask = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local maxWait, memberMs, keepMs, leaseMs = 3600000, 2000, 600000, 120

local b = {
  rate = 0, hold = 0.07, steady = now, passed = 0, since = now, edges = 0, nextAt = now, stop = 0,
  edge = now, refusals = 0, limited = 0, exhausted = 0, advertised = 0, advertisedAt = 0, at = now,
}
local stored = redis.call('HGETALL', KEYS[1])
for i = 1, #stored, 2 do b[stored[i]] = tonumber(stored[i + 1]) end
-- After the data was deleted, the bucket resumes at the rate that a process knows.
if #stored == 0 and ask.known > 0 then b.rate, b.hold, b.edges = ask.known, 0.3, 1 end
-- After the clock was set back, no stored time means anything.
if now < b.at - 1000 then
  b.steady, b.since, b.nextAt, b.edge, b.stop, b.passed, b.advertised = now, now, now, now, 0, 0, 0
  redis.call('DEL', KEYS[2])
end
b.at = now

redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - memberMs)
if ask.leaves then redis.call('ZREM', KEYS[2], ask.id)
else redis.call('ZADD', KEYS[2], now, ask.id) end
local members = math.max(1, redis.call('ZCARD', KEYS[2]))

local function maxStreakMs() return b.limited == 1 and 300000 or 130000 end

if ask.advertised > 0 then b.advertised, b.advertisedAt = ask.advertised, now end
if ask.wait > maxWait then b.exhausted = 1
elseif ask.wait > 2000 then b.stop = math.max(b.stop, now + ask.wait) end
if ask.wait > 0 then b.limited = 1 end

if ask.accepted > 0 then
  -- A series of refusals proves nothing about the rate.
  if b.refusals > 0 then b.steady, b.since, b.passed, b.nextAt = now, now, 0, math.min(b.nextAt, now) end
  b.refusals, b.exhausted, b.limited = 0, 0, 1
  b.passed = b.passed + ask.accepted
  -- Forgets the older half, so that the measurement follows a limit that increases.
  if b.passed >= 400 then b.passed, b.since = b.passed / 2, b.since + (now - b.since) / 2 end
end

-- Refusals of requests that were permitted before the last decision prove nothing new.
if ask.refused and ask.refused.edges >= b.edges then
  b.edges = b.edges + 1
  if b.edges > 1 and b.passed == 0 then
    b.refusals = b.refusals + 1
    local ms = now - b.edge
    if b.refusals >= 5 and ms >= maxStreakMs() then b.exhausted = 1 end
    b.nextAt = math.max(b.nextAt, now + math.min(ms, b.limited == 1 and 15000 or 2000))
  else
    local rtt = math.max(1, math.min(250, ask.rtt))
    if b.rate == 0 then
      b.rate, b.hold, b.nextAt = 2 / rtt, 0.07, now + rtt
    else
      local proven = (b.passed + 1) / math.max(1, now - b.since)
      local tried = ask.refused.rate > 0 and ask.refused.rate or b.rate
      b.rate = math.min(tried, proven ^ (2 / 3) * tried ^ (1 / 3))
      b.hold = math.max(0.07, math.min(1, b.passed / 20))
      -- Pauses for four requests, so that jitter does not meet an empty bucket again.
      b.nextAt = math.max(b.nextAt, now) + 4 / b.rate
    end
    b.edge, b.since, b.passed = now, now, 0
  end
  b.steady = b.nextAt
end

-- Holds the learned rate, then increases it ever faster until a refusal (CUBIC, RFC 9438). Permits
-- that are granted already delay the reaction to a refusal, so it at most doubles in 1.5 s.
local rate = 0
if b.rate > 0 then
  local holdMs = b.hold * (2100 + 15 / b.rate)
  local beyond = math.max(0, (now - b.steady) / holdMs - 1)
  local growth = 1 + 0.03 * math.min(2, beyond) ^ 4
  rate = b.rate * growth * 2 ^ math.min(40, math.max(0, beyond - 2) * holdMs / 1500)
end
if b.advertised > 0 and now - b.advertisedAt < 60000 then
  rate = rate > 0 and math.min(rate, b.advertised) or b.advertised
end

local reply = { members = members, edges = b.edges, exhausted = b.exhausted == 1, rate = rate }
if b.refusals > 0 then reply.since, reply.untilMs = b.edge - now, b.edge + maxStreakMs() - now end
if b.exhausted == 1 then
  -- Each process confirms a used-up quota with one request.
  if ask.want > 0 then reply.count, reply.first = 1, 0 end
elseif b.stop > now then reply.retry = b.stop - now
elseif rate > 0 and ask.want > 0 then
  -- Time in which no process wants permits proves nothing.
  local first = math.max(b.nextAt, now - 10)
  b.steady = b.steady + math.max(0, first - b.nextAt)
  if b.refusals > 0 and first > now + 20 then reply.retry = first - now
  else
    -- Permits for a future rate that is not proven yet would delay the reaction to a refusal.
    local isProbing = b.refusals > 0 or b.hold < 0.3
    local count = isProbing and 1 or math.floor(rate * leaseMs / members)
    count = math.max(1, math.min(ask.want, count))
    reply.count, reply.first = count, first - now
    -- Only one process probes at a time.
    b.nextAt = first + (b.refusals > 0 and 1000 or count / rate)
  end
end

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

--[[
Decides when the processes of one account send requests. Redis runs three files as one script, in
one atomic step: this one reads the state, bucket-limit.lua learns from the reported outcomes, and
bucket-permits.lua hands out permits and stores the state.

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
  before = 0, beforeMs = 0, fresh = 0, edge = now, edges = 0, refs = 0, exhausted = 0,
  limited = 0, accepted = 0, lastOk = 0, from = 0,
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
  b.passed, b.before, b.fresh, b.refs, b.stop = 0, 0, 0, 0, 0
  b.soloUntil, b.lastOk, b.advertisedAt = 0, 0, 0
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

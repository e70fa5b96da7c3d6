-- Learns the limit from the outcomes that a process reports; the second part of the script.

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

-- Reports are late, so a shorter measurement includes the previous one.
local minMeasureMs = 500

local function measureAgain(passed) b.passed, b.since, b.before = passed, now, 0 end

local function learnRate(r)
  if b.edges == 1 then
    -- The next refusal measures how much the limit permits after this pause.
    b.credit, b.nextAt = 2, now + math.max(150, rtt)
    if b.accepted <= 3 then startTest() end
  else
    local passed, ms = b.passed, now - b.since
    if ms < minMeasureMs and b.before > 0 then passed, ms = passed + b.before, ms + b.beforeMs end
    local proven = (passed + 1) / math.max(1, ms)
    local tried = r.spacing > 0 and 1 / r.spacing or b.rate > 0 and b.rate or proven
    local before = b.rate
    b.mode = 1
    local isFirst = b.hold < 0.3 and proven < tried / 2
    b.rate = math.min(tried, isFirst and 1.1 * proven or proven ^ (2 / 3) * tried ^ (1 / 3))
    b.short = b.fresh < 10 and b.short + 1 or 0
    -- A rate that was measured for a short time, or far below the tried one, is tested soon.
    local trust = math.abs(proven / before - 1) < 0.15 and 1 or 0.2
    b.hold = math.max(0.1, math.min(1, passed / 100, ms / 2000) * trust)
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
-- Reports are late by the same time at the beginning and at the end of a measurement.
b.passed, b.fresh = b.passed + ask.accepted, b.fresh + ask.accepted
if b.passed >= 400 and now - b.since >= 4000 then
  b.passed, b.since = b.passed / 2, b.since + (now - b.since) / 2
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
    local isStreak = b.edges > 0 and b.fresh == 0
    if b.mode == 3 then lengthenInterval(r)
    elseif not isStreak and b.mode < 2 then
      b.edges = b.edges + 1
      learnRate(r)
    end
    if isStreak then refuseAgain(r.at)
    else
      b.edges = math.max(1, b.edges)
      b.edge, b.fresh = r.at, 0
      if now - b.since >= minMeasureMs or b.edges == 1 then
        -- The first refusal ends the slow start, which measures nothing.
        local before, ms = b.edges > 1 and b.passed or 0, now - b.since
        measureAgain(0)
        b.before, b.beforeMs = before, ms
      end
    end
  end
end

-- Results of permits that were granted to one process while all others waited.
local function endTest(passed, count)
  if passed == count then
    if b.mode >= 2 and b.gap > 0 then b.rate, b.hold = 1 / b.gap, 0.3 end
    -- Without a rate, the slow start continues until the next refusal measures one.
    if b.rate > 0 then b.mode = 1 end
    b.steady = now
    measureAgain(0)
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
    b.mode, b.gap, b.level, b.quiet = 3, b.high, 1, 0
    measureAgain(0)
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

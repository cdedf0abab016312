#!/usr/bin/env bash
# ics 3.12.0 writes exclusions that exclude nothing, and durations in days or weeks that aren't durations.
#
# startInputType says whether a start is in UTC, and exclusionDates are taken for local time all the same: outside UTC they
# don't meet the date they're for. If startOutputType is local, the start has no time zone and the exclusion is in UTC. For
# an all-day event VALUE=DATE is missing, which EXDATE needs for dates (RFC 5545, 3.8.5.1). The README allows durations in
# weeks and days: after the "T" there are hours, minutes or seconds, and weeks stand alone (3.3.6), while ics ends with the
# "T". rrule-temporal 2.2.8 finds all three dates of the first event.
#
# Seen on 2026-11-30, Node 24, in New York:
#   start 10:00 utc, exclude the next day 10:00    DTSTART:20261201T100000Z, EXDATE:20261202T150000Z
#   the same, startOutputType local                DTSTART:20261201T100000, EXDATE:20261202T150000Z
#   all day, exclude the next day                  DTSTART;VALUE=DATE:20261201, EXDATE:20261202
#   { days: 1 }, { weeks: 1, days: 2 }             DURATION:P1DT, DURATION:P1W2DT
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ics@3.12.0 rrule-temporal@2.2.8
cat >check.mjs <<'JS'
import { deepStrictEqual, strictEqual } from 'node:assert'
import { createEvent } from 'ics'
import { RRuleTemporal } from 'rrule-temporal'

const linesOf = (event) => createEvent({ title: 'A', ...event }).value.split('\r\n')
const named = (lines, names) => lines.filter((line) => names.test(line))
const recurrenceRule = 'FREQ=DAILY;COUNT=3'
const lesson = { recurrenceRule, start: [2026, 12, 1, 10, 0], duration: { hours: 1 }, exclusionDates: [[2026, 12, 2, 10, 0]] }
const day = { recurrenceRule, start: [2026, 12, 1], end: [2026, 12, 2], exclusionDates: [[2026, 12, 2]] }
for (const [event, seen] of [
  [{ ...lesson, startInputType: 'utc' }, ['DTSTART:20261201T100000Z', 'EXDATE:20261202T150000Z']],
  [{ ...lesson, startOutputType: 'local' }, ['DTSTART:20261201T100000', 'EXDATE:20261202T150000Z']],
  [day, ['DTSTART;VALUE=DATE:20261201', 'EXDATE:20261202']],
]) {
  const lines = linesOf(event)
  console.log(named(lines, /^(DTSTART|EXDATE)/))
  deepStrictEqual(named(lines, /^(DTSTART|EXDATE)/), seen)
}
const rule = named(linesOf({ ...lesson, startInputType: 'utc' }), /^(DTSTART|RRULE|EXDATE)/).join('\n')
strictEqual(new RRuleTemporal({ rruleString: rule }).all().length, 3)

for (const [duration, seen] of [
  [{ days: 1 }, 'DURATION:P1DT'],
  [{ weeks: 1, days: 2 }, 'DURATION:P1W2DT'],
  [{ hours: 1 }, 'DURATION:PT1H'],
]) {
  const found = named(linesOf({ start: [2026, 12, 1, 10, 0], duration }), /^DURATION/)
  console.log(duration, found)
  deepStrictEqual(found, [seen])
}
JS
TZ=America/New_York node check.mjs
echo 'unchanged: exclusions miss their dates, and durations end with a "T"'

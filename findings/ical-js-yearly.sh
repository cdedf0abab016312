#!/usr/bin/env bash
# ical.js 2.2.1 moves yearly dates that a month doesn't have into the next month, and repeats BYWEEKNO every week.
#
# A rule's dates that don't exist, like February 30, are ignored and not counted (RFC 5545, 3.3.10). With FREQ=YEARLY the
# library takes March 1 for February 29, July 1 for June 31. BYWEEKNO limits a yearly rule to weeks of the year; the RFC's
# own example "Monday of week number 20" gives one date a year there, and a date each week from ical.js. BYSETPOS=-1 with
# BYMONTHDAY keeps all days from the second month on. Nothing is raised. rrule 2.8.1 gives the dates of the RFC.
#
# Seen on 2026-11-30, Node 24:
#   2024-02-29  FREQ=YEARLY                                    2025-03-01, 2026-03-01        rrule 2028-02-29, 2032-02-29
#   2026-12-31  FREQ=YEARLY;BYMONTH=6,12                       2027-07-01, 2027-12-31        rrule 2027-12-31, 2028-12-31
#   1997-05-12  FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO               1997-05-19, 05-26, 06-02      rrule 1997-05-12, 1998-05-11
#   2026-02-28  FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1   2026-03-28, 03-29, 03-30      rrule 2026-03-30, 2026-04-30
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ical.js@2.2.1 rrule@2.8.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import ICAL from 'ical.js'
import rrule from 'rrule'

for (const [start, rule, seen, right] of [
  ['2024-02-29', 'FREQ=YEARLY', ['2024-02-29', '2025-03-01', '2026-03-01'], ['2024-02-29', '2028-02-29', '2032-02-29']],
  ['2026-12-31', 'FREQ=YEARLY;BYMONTH=6,12', ['2026-12-31', '2027-07-01', '2027-12-31'], ['2026-12-31', '2027-12-31', '2028-12-31']],
  ['1997-05-12', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', ['1997-05-19', '1997-05-26', '1997-06-02'], ['1997-05-12', '1998-05-11', '1999-05-17']],
  [
    '2026-02-28',
    'FREQ=MONTHLY;BYMONTHDAY=28,29,30;BYSETPOS=-1',
    ['2026-02-28', '2026-03-28', '2026-03-29'],
    ['2026-02-28', '2026-03-30', '2026-04-30'],
  ],
]) {
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(start))
  const found = seen.map(() => iterator.next().toString())
  const dates = rrule.rrulestr(`DTSTART:${start.replaceAll('-', '')}T000000Z\nRRULE:${rule};COUNT=3`).all()
  const other = dates.map((date) => date.toISOString().slice(0, 10))
  console.log(start, rule, '→ ical.js', found, 'rrule', other)
  deepStrictEqual(found, seen)
  deepStrictEqual(other, right)
}
JS
node check.mjs
echo 'unchanged: dates move to the next month, and BYWEEKNO repeats every week'

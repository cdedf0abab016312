#!/usr/bin/env bash
# rrule 2.8.1 starts at the present moment if DTSTART names its type, and doesn't take out a date that EXDATE gives in UTC.
#
# An all-day event starts with "DTSTART;VALUE=DATE:" (RFC 5545, 3.3.4 and 3.8.2.4), and VALUE=DATE-TIME is allowed too.
# rrulestr reads such a line for RRULE, EXDATE and RDATE lines beside it, but not the start, which becomes the time of
# the call. EXDATE may be in UTC while DTSTART has a time zone, as both name an instant (3.3.5): the canceled date stays.
# rrule-temporal 2.2.8 does both.
#
# Seen on 2026-11-30, Node 24:
#   DTSTART;VALUE=DATE:20311201, daily                     today, at this hour      rrule-temporal 2031-12-01
#   DTSTART;VALUE=DATE-TIME:20311201T100000Z, daily        today, at this hour      rrule-temporal 2031-12-01T10:00
#   10:00 New York, EXDATE:20311202T150000Z (the second)   three dates of three     rrule-temporal two
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rrule@2.8.1 rrule-temporal@2.2.8
cat >check.mjs <<'JS'
import { deepStrictEqual, ok } from 'node:assert'
import rrule from 'rrule'
import { RRuleTemporal } from 'rrule-temporal'

const startsOf = (text) => new RRuleTemporal({ rruleString: text }).all().map((date) => date.toInstant().toString())
for (const [start, right] of [
  ['DTSTART;VALUE=DATE:20311201', '2031-12-01T00:00:00Z'],
  ['DTSTART;VALUE=DATE-TIME:20311201T100000Z', '2031-12-01T10:00:00Z'],
]) {
  const text = `${start}\nRRULE:FREQ=DAILY;COUNT=1`
  const [first] = rrule.rrulestr(text).all()
  console.log(text, '→ rrule', first, 'rrule-temporal', startsOf(text))
  ok(Math.abs(first - Date.now()) < 60_000)
  deepStrictEqual(startsOf(text), [right])
}

const lesson = ['DTSTART;TZID=America/New_York:20311201T100000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20311202T150000Z'].join('\n')
const dates = rrule.rrulestr(lesson).all()
console.log(lesson, '→ rrule', dates, 'rrule-temporal', startsOf(lesson))
deepStrictEqual(dates.length, 3)
deepStrictEqual(startsOf(lesson), ['2031-12-01T15:00:00Z', '2031-12-03T15:00:00Z'])
JS
TZ=UTC node check.mjs
echo 'unchanged: a start with its type is now, and a date canceled in UTC stays'

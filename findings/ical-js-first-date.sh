#!/usr/bin/env bash
# ical.js 2.2.1 leaves out an event’s first date when further dates are listed (RDATE) without a rule.
#
# DTSTART is the first date of a recurring event, whether RDATE or RRULE says the others (RFC 5545, 3.8.2.4 and 3.8.5.2).
# With RRULE, or both, the iterator begins with DTSTART. With RDATE alone, it begins with the first date of RDATE, so a
# course on December 15, 16 and 18 starts a day late.
#
# Seen on 2026-11-30, Node 24:
#   DTSTART 15, RDATE 16 and 18                     16, 18
#   DTSTART 15, RDATE 16, RRULE with COUNT=1        15, 16
#   DTSTART 15, RDATE 15 and 16                     15, 16
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ical.js@2.2.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import ICAL from 'ical.js'

const at = (day) => `202612${day}T100000Z`
for (const [lines, seen] of [
  [[`RDATE:${at(16)},${at(18)}`], [16, 18]],
  [[`RDATE:${at(16)}`, 'RRULE:FREQ=DAILY;COUNT=1'], [15, 16]],
  [[`RDATE:${at(15)},${at(16)}`], [15, 16]],
]) {
  const event = ['UID:1@a.example', 'DTSTAMP:20261101T000000Z', `DTSTART:${at(15)}`, 'SUMMARY:Course', ...lines]
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A//B//EN', 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR']
  const calendar = new ICAL.Component(ICAL.parse(text.join('\r\n')))
  const dates = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).iterator()
  const days = []
  for (let date = dates.next(); date; date = dates.next()) days.push(date.day)
  console.log(`DTSTART:${at(15)}`, ...lines, '→ days', days)
  deepStrictEqual(days, seen)
}
JS
node check.mjs
echo 'unchanged: with RDATE alone, the first date is missing'

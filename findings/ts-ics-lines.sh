#!/usr/bin/env bash
# ts-ics 2.4.6 keeps one of several CATEGORIES or COMMENT lines, and overlooks names in lower case, names that are folded,
# and further dates (RDATE).
#
# An event may have several lines of these properties (RFC 5545, 3.6.1), names are case-insensitive (1.3), and a line may
# be folded between any two characters (3.1). The last CATEGORIES line replaces those before it. A summary
# in lower case is missing. Nothing is raised.
#
# Seen on 2026-11-30, Node 24:
#   CATEGORIES:A,B + CATEGORIES:C      categories ["C"]
#   COMMENT:one + COMMENT:two          comment "two"
#   summary:A                          no summary
#   SUM, a line break and MARY:A       no summary
#   RDATE:20261216T100000Z             nothing of it
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent ts-ics@2.4.6 ical.js@2.2.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import ICAL from 'ical.js'
import { convertIcsCalendar } from 'ts-ics'

const required = ['uid', 'stamp', 'start']
for (const [lines, seen] of [
  [['CATEGORIES:A,B', 'CATEGORIES:C'], { categories: ['C'] }],
  [['COMMENT:one', 'COMMENT:two'], { comment: 'two' }],
  [['summary:A'], {}],
  [['SUM', ' MARY:A'], {}],
  [['RDATE:20261216T100000Z'], {}],
]) {
  const event = ['UID:1@a.example', 'DTSTAMP:20261101T000000Z', 'DTSTART:20261215T100000Z', ...lines]
  const all = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A//B//EN', 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR']
  const text = `${all.join('\r\n')}\r\n`
  const [parsed] = convertIcsCalendar(undefined, text).events
  const found = Object.fromEntries(Object.entries(parsed).filter(([name]) => !required.includes(name)))
  const other = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getAllProperties().slice(3)
  console.log(lines, '→ ts-ics', found, 'ical.js', other.map((property) => property.toICALString()))
  deepStrictEqual(found, seen)
}
JS
node check.mjs
echo 'unchanged: further lines, lower case, folded names and RDATE are overlooked'

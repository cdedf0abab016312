#!/usr/bin/env bash
# node-ical 0.27.2 cuts quoted parameters at a semicolon, and an event in lower case has no start.
#
# A parameter in quotation marks may hold ";", ":" and "," (RFC 5545, 3.2), and property names are case-insensitive (1.3).
# The parser splits at ";" inside the quotation marks: a name loses what follows, and its quotation mark stays. With names
# in lower case, the date stays a text under `dtstart`, and `start` and `end` are missing. ical.js 2.2.1 reads all of it.
#
# Seen on 2026-11-30, Node 24:
#   ORGANIZER;CN="Smith; Ann":mailto:a@a.example          CN '"Smith'
#   ORGANIZER;CN="Smith: Ann":mailto:a@a.example          CN 'Smith: Ann'
#   DESCRIPTION;ALTREP="https://a.example/?a=1;b=2":text  ALTREP '"https://a.example/?a=1', and a parameter B '2"'
#   dtstart:20261215T100000Z                              start undefined, dtstart '20261215T100000Z'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node-ical@0.27.2
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import ical from 'node-ical'

const start = 'DTSTART:20261215T100000Z'
for (const [lines, read, seen] of [
  [[start, 'ORGANIZER;CN="Smith; Ann":mailto:a@a.example'], (e) => e.organizer.params, { CN: '"Smith' }],
  [[start, 'ORGANIZER;CN="Smith: Ann":mailto:a@a.example'], (e) => e.organizer.params, { CN: 'Smith: Ann' }],
  [
    [start, 'DESCRIPTION;ALTREP="https://a.example/?a=1;b=2":text'],
    (e) => e.description.params,
    { ALTREP: '"https://a.example/?a=1', B: '2"' },
  ],
  [['dtstart:20261215T100000Z'], ({ start, dtstart }) => ({ start, dtstart }), { start: undefined, dtstart: '20261215T100000Z' }],
]) {
  const event = ['UID:1@a.example', 'DTSTAMP:20261101T000000Z', 'SUMMARY:A', ...lines]
  const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//A//B//EN', 'BEGIN:VEVENT', ...event, 'END:VEVENT', 'END:VCALENDAR']
  const parsed = Object.values(ical.sync.parseICS(`${text.join('\r\n')}\r\n`)).find(({ type }) => type === 'VEVENT')
  const found = read(parsed)
  console.log(lines.at(-1), '→', found)
  deepStrictEqual({ ...found }, seen)
}
JS
node check.mjs
echo 'unchanged: quoted parameters end at a semicolon, and lower case has no start'

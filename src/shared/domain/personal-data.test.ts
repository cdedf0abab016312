import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPersonalData, replaceFound, withStandIns } from './personal-data.ts'

const found = (text: string, words: string[] = []) =>
  findPersonalData(text, words).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`)
const replaced = (text: string, words: string[] = []) =>
  replaceFound(text, withStandIns(text, findPersonalData(text, words)))

describe('finds', () => {
  test.each([
    ['a first name with the surname', 'Maria Lopez waited.', ['name: Maria Lopez']],
    ['a name in small letters', 'refund for maria lopez, table 4', ['name: maria lopez']],
    ['a name in capitals, and not the next word', 'MARIA CALLED', ['name: MARIA']],
    ['a name with accents and an apostrophe', 'José and Sean O’Brien', ['name: José', 'name: Sean O’Brien']],
    [
      'an unusual name after a title or a label',
      'Mrs. Kowalczyk. Guest: Zbigniew',
      ['name: Mrs. Kowalczyk', 'name: Zbigniew'],
    ],
    ['a word that is a first name only with a surname', 'Will Smith will mark it', ['name: Will Smith']],
    [
      'a card in groups, with a valid check digit',
      'paid with 4111 1111 1111 1111 today',
      ['card: 4111 1111 1111 1111'],
    ],
    ['a card of American Express', '3782-822463-10005', ['card: 3782-822463-10005']],
    [
      'phone numbers as people write them',
      '(415) 555-0100, 415.555.0101, +1 415 555 0102, 4155550103',
      ['phone: (415) 555-0100', 'phone: 415.555.0101', 'phone: +1 415 555 0102', 'phone: 4155550103'],
    ],
    ['a number of another country', 'Call +49 30 901820 now', ['phone: +49 30 901820']],
    [
      'an email address without the period after it',
      'Write to m.lopez+store@mail.example.com.',
      ['email: m.lopez+store@mail.example.com'],
    ],
  ])('%s', (_what, text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('the reader’s own words, whole and in any case', () => {
    expect(found('ACME supply and acmes', ['Acme Supply', 'acme'])).toEqual(['word: ACME supply'])
    expect(found('Nothing here', ['', ' ', '–'])).toEqual([])
  })
})

test.each([
  'Open 10 a.m. to 9 p.m., 42 orders, $1,204.50 on 2026-05-31.',
  'Order 4111111111111112 has a wrong check digit.',
  'San Jose and San Diego; May sales; Mark every item. Will it work?',
  'Version 1.2.3.4, item 12345678901234567890, ratio 3:4, user@host',
  'A hearty breakfast on Friday for everyone at the counter.',
])('leaves alone: %s', (text) => {
  expect(found(text)).toEqual([])
})

test('the same person, number or word gets one stand-in, and others get the next', () => {
  expect(replaced('Maria Lopez called. Maria was calm, Kevin was not. MARIA LOPEZ again.')).toBe(
    '[guest 1] called. [guest 1] was calm, [guest 2] was not. [guest 1] again.',
  )
  expect(replaced('Maria Lopez called; Maria was calm')).toBe('[guest 1] called; [guest 1] was calm')
  expect(replaced('415-555-0100 is (415) 555 0100, but 415-555-0199 isn’t.')).toBe(
    '[phone 1] is [phone 1], but [phone 2] isn’t.',
  )
})

test('a stand-in that the text has already is not given to another person', () => {
  expect(replaced('[guest 1] and Maria')).toBe('[guest 1] and [guest 2]')
})

const piece = fc.oneof(
  fc.constantFrom(
    'Maria',
    ' Lopez',
    ' ',
    '\n',
    '4111 1111 1111 1111',
    '415-555-0100',
    'a@b.co',
    '[guest 1]',
    'Mr. ',
    '+',
    '.',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
)
const texts = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))

test('findings are in order, apart and within any text, and replacing them leaves the rest to the letter', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.string(), { maxLength: 4 }), (text, words) => {
      const all = withStandIns(text, findPersonalData(text, words))
      let rest = ''
      let end = 0
      for (const each of all) {
        expect(each.start).toBeGreaterThanOrEqual(end)
        expect(each.end).toBeGreaterThan(each.start)
        expect(text.slice(each.start, each.end)).toBe(each.text)
        rest += text.slice(end, each.start) + each.standIn
        end = each.end
      }
      expect(replaceFound(text, all)).toBe(rest + text.slice(end))
      expect(replaceFound(text, [])).toBe(text)
    }),
  )
})

test('the same stand-in means the same kind', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const byStandIn = Map.groupBy(withStandIns(text, findPersonalData(text)), ({ standIn }) => standIn)
      for (const group of byStandIn.values()) expect(new Set(group.map(({ kind }) => kind)).size).toBe(1)
    }),
  )
})

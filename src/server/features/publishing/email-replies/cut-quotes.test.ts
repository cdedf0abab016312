import { expect, test } from 'vitest'
import { cutQuotes } from './cut-quotes.ts'

test.each([
  [
    'Gmail',
    'Thanks!\n\nOn Mon, Nov 2, 2026 at 9:00 AM Front Counter <news@x.test>\nwrote:\n\n> Count the till.\n> Twice.',
  ],
  ['Apple Mail', 'Thanks!\n\n> On Nov 2, 2026, at 9:00 AM, Front Counter <news@x.test> wrote:\n> \n> Count the till.'],
  [
    'Outlook',
    'Thanks!\n\n________________________________\nFrom: Front Counter <news@x.test>\nSent: Monday\n\nCount the till.',
  ],
  [
    'Outlook without a line',
    'Thanks!\n\nFrom: Front Counter <news@x.test>\nSent: Monday\nTo: Mia\nSubject: Hi\n\nCount the till.',
  ],
  ['an older Outlook', 'Thanks!\n-----Original Message-----\nCount the till.'],
  ['a German program', 'Thanks!\n\nAm 2. Nov. 2026 um 09:00 schrieb Front Counter <news@x.test>:\n\n> Count the till.'],
  ['a program without ">"', 'Thanks!\n\nOn Nov 2, 2026, Front Counter wrote:\n\nCount the till.'],
  ['a signature', 'Thanks!\n-- \nMia Low, Erie'],
])('What %s quotes isn’t part of a reply', (_, text) => {
  expect(cutQuotes(text)).toBe('Thanks!')
})

const from = 'Front Counter <letters@example.com>'
const quoted = ['Here is the drop of this week.', 'It has three sections.']
test.each([
  ['Gmail in Danish', [`Den man. 2. nov. 2026 kl. 09.00 skrev ${from}:`]],
  ['Gmail in Norwegian', [`man. 2. nov. 2026 kl. 09:00 skrev ${from}:`]],
  ['Gmail in Portuguese', [`Em seg., 2 de nov. de 2026 às 09:00, ${from} escreveu:`]],
  ['Gmail in Russian', [`пн, 2 нояб. 2026 г. в 09:00, ${from}:`]],
  ['Gmail in Japanese', [`2026年11月2日(月) 9:00 ${from}:`]],
  ['Gmail in Chinese', [`${from} 于2026年11月2日周一 09:00写道：`]],
  ['Gmail in Korean', [`2026년 11월 2일 (월) 오전 9:00, ${from}님이 작성:`]],
  ['Gmail in Turkish', [`${from}, 2 Kas 2026 Pzt, 09:00`, 'tarihinde şunu yazdı:']],
  ['Gmail in Hungarian', [`${from} ezt írta (időpont: 2026. nov. 2., H, 9:00):`]],
  ['Gmail in Arabic', [`في الاثنين، ٢ نوفمبر ٢٠٢٦ في ٩:٠٠ ص تمت كتابة ما يلي بواسطة ${from}:`]],
  ['Yahoo in German', [`  Am Montag, 2. November 2026 um 09:00:00 MEZ hat ${from} Folgendes geschrieben:  `]],
  [
    'Outlook in Danish',
    [`Fra: ${from}`, 'Sendt: 2. november 2026 09:00', 'Til: Mette <mette@example.com>', 'Emne: This week'],
  ],
  [
    'Outlook in Finnish',
    [`Lähettäjä: ${from}`, 'Lähetetty: 2. marraskuuta 2026 9:00', 'Vastaanottaja: Aino', 'Aihe: This week'],
  ],
  [
    'Outlook in Polish',
    [`Od: ${from}`, 'Wysłane: poniedziałek, 2 listopada 2026 09:00', 'Do: Ewa', 'Temat: This week'],
  ],
  [
    'Outlook in Swedish',
    ['Från: Front Counter', 'Skickat: den 2 november 2026 09:00', 'Till: Elsa', 'Ämne: This week'],
  ],
  ['Outlook in Chinese', [`发件人: ${from}`, '发送时间: 2026年11月2日 9:00', '收件人: Li', '主题: This week']],
  [
    'eM Client',
    [
      '------ Original Message ------',
      'From "Front Counter" <letters@example.com>',
      'To "Nils" <nils@example.com>',
      'Date 2.11.2026 09:00:00',
      'Subject This week',
    ],
  ],
  [
    'eM Client in German',
    [
      '------ Originalnachricht ------',
      'Von "Front Counter" <letters@example.com>',
      'An "Nils" <nils@example.com>',
      'Datum 02.11.2026 09:00:00',
    ],
  ],
  [
    'Proton Mail',
    ['------- Wiadomość oryginalna -------', `W dniu poniedziałek, 2 listopada 2026 09:00 ${from} pisze:`],
  ],
  ['Zoho', ['---- Le Mon, 02 Nov 2026 09:00:00 +0100 Front Counter <letters@example.com> a écrit ----']],
])('What %s quotes without ">" isn’t part of a reply', (_, start) => {
  expect(cutQuotes(['Thanks, this helped.', '', ...start, '', ...quoted].join('\n'))).toBe('Thanks, this helped.')
  expect(cutQuotes(['I paid 20.', ...start, ...quoted.map((line) => `> ${line}`)].join('\n'))).toBe('I paid 20.')
})

test.each(['Den 2026-11-02 kl. 09:00, skrev Front Counter:', 'Front Counter kirjoitti 2.11.2026 klo 9:00:'])(
  'A dated line right above quoted lines is left out in any language, and what stands below them stays: %s',
  (line) => {
    expect(cutQuotes(`Yes.\n${line}\n> Twice?\n\nAnd thanks.`)).toBe('Yes.\n\nAnd thanks.')
  },
)

test('Lines of the sent email are left out without any mark, one line alone stays', () => {
  const sent = JSON.stringify({
    markdown: '# Here is the drop\n\nHere is the **drop** of this week. It has three sections.',
  })
  expect(cutQuotes(`Thanks!\n\n${quoted.join('\n\n')}\n\nBye`, sent)).toBe('Thanks!\n\nBye')
  expect(cutQuotes(`You wrote\n${quoted[0]}\nWhy?`, sent)).toBe(`You wrote\n${quoted[0]}\nWhy?`)
})

test.each([
  'Name: Mia\nShop: Erie\nSince: 2 Nov 2026 9:00\nEmail: mia@example.com',
  'Call 555 123 4567 or write to <mia@example.com>:\nwe are open.',
  'We open on 2 Nov 2026 at 9:00:\nwith cake.',
  '--- My shop ---\nmia@example.com',
])('What someone wrote stays, although it has dates and addresses: %s', (text) => {
  expect(cutQuotes(text)).toBe(text)
})

test('Lines between and below a quote stay', () => {
  const text = 'On 11/2/2026, A wrote:\n> First?\nYes.\n\n> Second?\n\nNo.\n'
  expect(cutQuotes(text)).toBe('Yes.\n\nNo.')
})

test('Sentences that only look like the beginning of a quote stay', () => {
  const text = 'On Monday we counted twice.\nFrom: now on, daily.\nShe wrote:\nWell done -- really.\n---\nBye'
  expect(cutQuotes(text)).toBe(text)
})

test('A text of quotes alone is empty, and a long one takes no long time', () => {
  expect(cutQuotes('> a\n> b')).toBe('')
  const started = performance.now()
  cutQuotes('on aaaa wrote:\n'.repeat(30_000))
  cutQuotes(`on ${'wrote '.repeat(80_000)}`)
  cutQuotes('am schrieb \n'.repeat(30_000))
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('half a megabyte of words that introduce quotes doesn’t hold up the server', { timeout: 20_000 }, () => {
  const words = 'schrieb '.repeat(36)
  for (const line of [`am 1 ${words}${' '.repeat(500_000)}x`, `am 1 ${words}${'x'.repeat(205)}:\n`.repeat(1_000)])
    expect(cutQuotes(line)).toBe(line.trim())
})

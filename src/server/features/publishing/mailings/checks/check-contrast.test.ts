import { expect, test } from 'vitest'
import { buildRecipient, emailConfig, listSender, readableLinks, sampleDrop } from '#tests/support/newsletter-email.ts'
import { previewFor } from '../compose/composer.ts'
import { checkContrast, contrastOf } from './check-contrast.ts'
import { checkPlainText } from './check-mailing.ts'

const { html } = await previewFor(
  { content: sampleDrop(), from: listSender, config: emailConfig, links: readableLinks },
  buildRecipient({ reader: { focusAreas: ['Finance'], aiLevel: null, goals: [], franchiseType: null } }),
)

test('contrast is computed as in WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#767676', '#FFFFFF')).toBeCloseTo(4.54, 2)
  expect(contrastOf('red', '#ffffff')).toBeNull()
})

test('the email is legible in light and dark mode', () => {
  expect(checkContrast(html)).toEqual([])
})

test('text whose color doesn’t adapt to dark mode is reported, with its words', () => {
  const forgotten = html.replace('<p class="reason"', '<p')
  expect(checkContrast(forgotten)).toMatchObject([
    {
      check: 'contrast',
      message: expect.stringMatching(/^“First for you:” has a contrast of 2\.\d:1 in dark mode/),
    },
  ])
})

test('a faulty dark-mode rule is reported wherever its class is used', () => {
  const wrong = html.replace(/\.ink \{ color: #[0-9a-f]{6}/, '.ink { color: #444444')
  const [problem, ...others] = checkContrast(wrong)
  expect(problem?.message).toContain('in dark mode')
  expect(others.length).toBeGreaterThan(0)
  expect(checkContrast(html.replaceAll('color:#261f1a', 'color:crimson'))[0]?.message).toContain('can’t be checked')
})

test('large text may have less contrast, and hidden text any', () => {
  const body = (style: string, attributes = '') =>
    `<body style="background-color:#ffffff;color:#000000"><p ${attributes} style="color:#888888;${style}">Words</p></body>`
  const inLight = (page: string) => checkContrast(page).filter(({ message }) => message.includes('in light mode'))
  expect(inLight(body('font:400 16px/20px serif'))).toHaveLength(1)
  expect(inLight(body('font:400 24px/30px serif'))).toHaveLength(0)
  expect(inLight(body('font:600 19px/30px serif'))).toHaveLength(0)
  expect(inLight(body('display:none'))).toHaveLength(0)
  expect(inLight(body('', 'aria-hidden="true"'))).toHaveLength(0)
})

test('an email whose plain-text part is missing or incomplete is reported', () => {
  expect(checkPlainText(null, [])).toMatchObject([{ check: 'plain-text', message: 'The plain-text version is empty' }])
  expect(checkPlainText(' \n', [])).toHaveLength(1)
  expect(checkPlainText('ONE HEADING\nOVER TWO LINES', ['One heading over two lines'])).toEqual([])
  expect(checkPlainText('One', ['One', 'Two'])[0]?.message).toContain('is missing “Two”')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentColors, contrast, nearestReadableAccent } from './accent-colors.ts'
import { accentOf, corners, designs, fontPairs, headers, lookStyles, widths } from './designs.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const themes = ['light', 'dark'] as const

test('no word is in two sets, so that one attribute can have the whole look', () => {
  const words = [designs, fontPairs, widths, corners, headers].flatMap(Object.keys)
  expect(new Set(words).size).toBe(words.length)
})

test('in each design, the text of both themes can be read on all surfaces, and outlines can be seen', () => {
  for (const { look, ...palettes } of Object.values(designs)) {
    for (const theme of themes) {
      const { paper, card, sunken, ink, muted, accentInk, accentSoft, lineStrong } = palettes[theme]
      for (const surface of [paper, card, sunken]) {
        for (const text of [ink, muted, accentInk])
          expect(contrast(text, surface), `${look.design} ${theme} ${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
        expect(contrast(lineStrong, surface)).toBeGreaterThanOrEqual(3)
      }
      expect(contrast(accentInk, accentSoft)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(ink, accentSoft)).toBeGreaterThanOrEqual(4.5)
    }
  }
})

test('whatever color a publisher chooses, links and buttons can be read in each design and theme', () => {
  fc.assert(
    fc.property(hex, (color) => {
      const chosen = accentColors(nearestReadableAccent(color))
      for (const { look, ...palettes } of Object.values(designs)) {
        for (const theme of themes) {
          const { paper, card, sunken } = palettes[theme]
          const { primary, primaryHover, onPrimary } = chosen[theme]
          for (const [one, other] of [
            ...[paper, card, sunken].map((surface) => [primary, surface] as const),
            [onPrimary, primary] as const,
            [onPrimary, primaryHover] as const,
          ])
            expect(contrast(one, other), `${color} ${look.design} ${theme}`).toBeGreaterThanOrEqual(4.49)
        }
      }
    }),
  )
})

test('a design brings its own color, which gives way to the publisher’s, and Counter changes nothing', () => {
  const publication = (design: keyof typeof designs, accent: string) => ({
    ...{ look: designs[design].look, accent, logoDark: null },
  })
  expect(lookStyles(publication('counter', ''))).toBe('')
  expect(lookStyles(publication('counter', '#7a1f3d'))).not.toContain('--background')
  expect(lookStyles(publication('folio', ''))).toContain(`--background:light-dark(${designs.folio.light.paper},`)
  expect(lookStyles(publication('folio', ''))).toContain(`--primary:light-dark(${designs.folio.color},`)
  expect(lookStyles(publication('folio', '#7a1f3d'))).toContain('--primary:light-dark(#7a1f3d,')
  expect(accentOf(publication('bulletin', ''))).toBe(designs.bulletin.color)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accentColors, accentStyles, contrast, isReadableAccent, nearestReadableAccent } from './accent-colors.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast is the ratio of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test('the color of the design is readable, and stays itself', () => {
  expect(isReadableAccent('#0f533c')).toBe(true)
  expect(nearestReadableAccent('#0f533c')).toBe('#0f533c')
})

test('for any color, the nearest one can be read in both themes, on links and on buttons', () => {
  fc.assert(
    fc.property(hex, (color) => {
      const nearest = nearestReadableAccent(color)
      expect(isReadableAccent(nearest)).toBe(true)
      const { light, dark } = accentColors(nearest)
      for (const surface of ['#f9f6f0', '#fefdf9', '#f2eee3', light.onPrimary, light.primarySoft])
        expect(contrast(light.primary, surface), `${color} on ${surface}`).toBeGreaterThan(
          surface === light.primarySoft ? 4 : 4.49,
        )
      for (const surface of ['#1b1815', '#24201c', '#2d2824', dark.onPrimary])
        expect(contrast(dark.primary, surface), `${color} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      expect(contrast(light.primaryHover, light.onPrimary)).toBeGreaterThanOrEqual(4.5)
      expect(contrast(dark.primaryHover, dark.onPrimary)).toBeGreaterThanOrEqual(4.5)
      expect(accentStyles(nearest)).toMatch(/^:root:root\{(--[a-z-]+:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);?){4}\}$/)
    }),
  )
})

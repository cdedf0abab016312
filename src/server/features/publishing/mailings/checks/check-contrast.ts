import type { Problem } from './mailing-problem.ts'
import { readVisibleTexts, type VisibleText } from './visible-text-colors.ts'

/** Minimum contrast of text (WCAG 2.2, 1.4.3). */
const minContrast = { normal: 4.5, large: 3 }

/** Reports each pair of colors once, with its first text. */
export function checkContrast(html: string): Problem[] {
  const problems = new Map<string, Problem>()
  for (const seen of readVisibleTexts(html)) {
    for (const mode of ['light', 'dark'] as const) {
      const problem = problemOf(seen, mode)
      if (problem) problems.set(`${mode} ${seen[mode].color} ${seen[mode].background}`, problem)
    }
  }
  return [...problems.values()]
}

function problemOf(seen: VisibleText, mode: 'light' | 'dark'): Problem | null {
  const { color, background } = seen[mode]
  const wanted = seen.large ? minContrast.large : minContrast.normal
  const contrast = contrastOf(color, background)
  if (contrast !== null && contrast >= wanted) return null
  const words = seen.text.length > 40 ? `${seen.text.slice(0, 39)}…` : seen.text
  const found = contrast === null ? 'a color that can’t be checked' : `a contrast of ${contrast.toFixed(1)}:1`
  return {
    severity: 'error',
    check: 'contrast',
    message: `“${words}” has ${found} in ${mode} mode (${color} on ${background}). It needs ${wanted}:1`,
    place: null,
  }
}

/** Contrast ratio from 1 to 21; null unless both colors are six hex digits. */
export function contrastOf(one: string, other: string): number | null {
  const [a, b] = [luminance(one), luminance(other)]
  if (a === null || b === null) return null
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(color: string): number | null {
  const [, ...digits] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color) ?? []
  if (digits.length !== 3) return null
  const [red = 0, green = 0, blue = 0] = digits.map((pair) => {
    const value = Number.parseInt(pair, 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

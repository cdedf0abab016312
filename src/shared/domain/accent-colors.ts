/**
 * The colors that the publisher's accent color changes: buttons, links and what is selected. The publisher chooses the
 * color of the light theme; the dark theme has the same hue, as light as its background needs.
 */

/** Lightness (0 to 1), chroma and hue in degrees. */
type Oklch = { l: number; c: number; h: number }

export type AccentColors = { primary: string; primaryHover: string; primarySoft: string; onPrimary: string }

/** Text needs this contrast (WCAG 2.2, 1.4.3). */
const minContrast = 4.5

/** The surfaces of both themes that links and buttons are on, as in palette.css. */
const surfaces = {
  light: ['#f9f6f0', '#fefdf9', '#f2eee3'],
  dark: ['#1b1815', '#24201c', '#2d2824'],
} as const
const onPrimary = { light: '#fcfaf5', dark: '#0b1512' } as const

export const isHexColor = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

const channels = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]
const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055)

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map(toLinear) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function toOklch(hex: string): Oklch {
  const [r, g, b] = channels(hex).map(toLinear) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { l: lightness, c: Math.hypot(a, bb), h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360 }
}

function toLinearRgb({ l, c, h }: Oklch): [number, number, number] {
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** The nearest color of the screen with this lightness and hue: less chroma where sRGB has no such color. */
function toHex(color: Oklch): string {
  let { c } = color
  let rgb = toLinearRgb(color)
  while (c > 0 && rgb.some((value) => value < -0.0005 || value > 1.0005)) {
    c = Math.max(0, c - 0.004)
    rgb = toLinearRgb({ ...color, c })
  }
  const byte = (value: number) =>
    Math.round(Math.min(1, Math.max(0, fromLinear(Math.min(1, Math.max(0, value))))) * 255)
  return `#${rgb.map((value) => byte(value).toString(16).padStart(2, '0')).join('')}`
}

const passes = (hex: string, theme: 'light' | 'dark') =>
  [...surfaces[theme], onPrimary[theme]].every((other) => contrast(hex, other) >= minContrast)

/** Returns true if text in this color can be read on the light theme, and the light theme's text on this color. */
export const isReadableAccent = (hex: string): boolean => passes(hex, 'light')

/** The nearest darker color of the same hue that can be read; the color itself if it can. */
export function nearestReadableAccent(hex: string): string {
  const color = toOklch(hex)
  let nearest = hex
  for (let { l } = color; !isReadableAccent(nearest) && l > 0; ) {
    l = Math.max(0, l - 0.005)
    nearest = toHex({ ...color, l })
  }
  return nearest
}

/** The same hue, as dark as needed for the dark theme's backgrounds to be readable, or lighter. */
function darkThemeColor(hex: string): string {
  const color = toOklch(hex)
  const c = Math.min(color.c * 1.3, 0.13)
  let l = Math.max(0.76, Math.min(color.l, 0.9))
  let found = toHex({ ...color, l, c })
  while (!passes(found, 'dark') && l < 1) {
    l = Math.min(1, l + 0.01)
    found = toHex({ ...color, l, c })
  }
  return found
}

/** All colors of both themes for a readable accent color. */
export function accentColors(hex: string): { light: AccentColors; dark: AccentColors } {
  const light = toOklch(hex)
  const primary = darkThemeColor(hex)
  const dark = toOklch(primary)
  return {
    light: {
      primary: hex,
      primaryHover: toHex({ ...light, l: Math.max(0, light.l - 0.065) }),
      primarySoft: toHex({ ...light, l: 0.94, c: Math.min(light.c, 0.024) }),
      onPrimary: onPrimary.light,
    },
    dark: {
      primary,
      primaryHover: toHex({ ...dark, l: Math.min(1, dark.l + 0.06) }),
      primarySoft: toHex({ ...dark, l: 0.29, c: Math.min(dark.c, 0.034) }),
      onPrimary: onPrimary.dark,
    },
  }
}

/** Replaces the colors of palette.css, wherever the style sheet is. */
export function accentStyles(hex: string): string {
  const { light, dark } = accentColors(hex)
  const token = (name: string, key: keyof AccentColors) => `--${name}:light-dark(${light[key]},${dark[key]})`
  return `:root:root{${token('primary', 'primary')};${token('primary-hover', 'primaryHover')};${token('primary-soft', 'primarySoft')};${token('on-primary', 'onPrimary')}}`
}

/** Shows the logo of the theme, if there are two. */
export const logoStyles =
  '[data-logo=dark]{display:none}@media (prefers-color-scheme:dark){:root:not([data-theme=light]) [data-logo=light]{display:none}:root:not([data-theme=light]) [data-logo=dark]{display:block}}:root[data-theme=dark] [data-logo=light]{display:none}:root[data-theme=dark] [data-logo=dark]{display:block}'

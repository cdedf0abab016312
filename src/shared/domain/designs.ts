import { accentStyles, logoStyles } from './accent-colors.ts'

/**
 * The designs of site and emails, and what a publisher adjusts in them. Everything is chosen from these sets. What the
 * designs do with type, rules and layout is in designs.css for pages, and in mail/email-palette.ts for emails.
 */

/** Custom properties of pages by the name of their color in emails. */
const tokens = {
  paper: 'background',
  card: 'surface',
  sunken: 'sunken',
  ink: 'ink',
  muted: 'muted',
  line: 'line',
  lineStrong: 'line-strong',
  accent: 'accent',
  accentInk: 'accent-ink',
  accentSoft: 'accent-soft',
} as const
const tokenNames = Object.keys(tokens) as (keyof typeof tokens)[]

/** Without the color of links and buttons, which accent-colors.ts derives. */
type Palette = Record<keyof typeof tokens, string>

const paletteOf = (colors: string): Palette => {
  const list = colors.split(' ')
  return Object.fromEntries(tokenNames.map((name, index) => [name, list[index]])) as Palette
}

export const fontPairs = {
  fraunces: 'Fraunces and Instrument Sans',
  book: 'Fraunces, in light titles and in running text',
  condensed: 'Instrument Sans, in narrow titles',
} as const
export const widths = { narrow: 'Narrow', normal: 'Medium', wide: 'Wide' } as const
export const corners = { square: 'Square', slight: 'Slightly rounded', round: 'Round' } as const
export const headers = {
  left: 'Name at the left',
  centered: 'Name in the middle',
  picture: 'Logo above the name, in the middle',
} as const

/** A design as adjusted. No word is in two of the sets, so that one attribute can have them all. */
export type Look = {
  design: DesignName
  fonts: keyof typeof fontPairs
  width: keyof typeof widths
  corners: keyof typeof corners
  header: keyof typeof headers
}
export type DesignName = 'counter' | 'folio' | 'bulletin'

/** `color` is that of links and buttons in the light theme. */
type Design = { label: string; look: Look; color: string; light: Palette; dark: Palette }

/**
 * No surface is darker than Counter's in the light theme, or lighter in the dark one, so that a color that can be read
 * on Counter can be read on all.
 */
export const designs: Readonly<Record<DesignName, Design>> = {
  counter: {
    label: 'Counter: warm paper, titles with character, a double rule',
    look: { design: 'counter', fonts: 'fraunces', width: 'normal', corners: 'slight', header: 'left' },
    color: '#0f533c',
    light: paletteOf('#f9f6f0 #fefdf9 #f2eee3 #261f1a #5d554e #dad5cd #867f76 #efa524 #7b470d #f9edce'),
    dark: paletteOf('#1b1815 #24201c #2d2824 #ebe7df #b2aba1 #413c38 #867f77 #f3b03b #f4c66f #463317'),
  },
  folio: {
    label: 'Folio: white paper, a book’s letters, hairlines, much room',
    look: { design: 'folio', fonts: 'book', width: 'normal', corners: 'square', header: 'centered' },
    color: '#2b4a6f',
    light: paletteOf('#fdfdfb #fffffe #f5f5f0 #1c1c1a #5b5b56 #dededa #82827d #c08a2e #72500f #f6efdd'),
    dark: paletteOf('#151618 #1c1d20 #25262a #e9e8e3 #adaca7 #3a3b3f #84847f #d8ac58 #e6c583 #3a301b'),
  },
  bulletin: {
    label: 'Bulletin: black bands, narrow bold headings, more on a screen',
    look: { design: 'bulletin', fonts: 'condensed', width: 'wide', corners: 'square', header: 'left' },
    color: '#1746a2',
    light: paletteOf('#fefefd #ffffff #f0f1ef #14171a #50575d #cdd2d6 #798189 #ffc21a #6a4a00 #fff1c4'),
    dark: paletteOf('#101316 #171b1f #20252a #eef1f3 #a9b2ba #363d44 #818a92 #ffc933 #ffd666 #3c3010'),
  },
}

/** Of `data-look`, by which designs.css knows what was chosen. */
export const lookAttribute = (look: Look): string => Object.values(look).join(' ')

/** The font files that a page loads at once, as they begin. The axes of variable fonts are at their end. */
export const fontFiles: Readonly<Record<Look['fonts'], readonly string[]>> = {
  fraunces: ['fraunces-latin-wght', 'instrument-sans-latin-wght'],
  book: ['fraunces-latin-opsz', 'instrument-sans-latin-wght'],
  condensed: ['instrument-sans-latin-standard', 'instrument-sans-latin-wght'],
}

/** A publication. */
type Dressed = { look: Look; accent: string }

/** The color that replaces pine: the publisher's, or else the design's; empty for Counter's own. */
export const accentOf = ({ look: { design }, accent }: Dressed): string =>
  accent || (design === 'counter' ? '' : designs[design].color)

/** Colors in place of those of palette.css, wherever the style sheet is, and the logo of the theme. */
export function lookStyles(publication: Dressed & { logoDark: object | null }): string {
  const { light, dark } = designs[publication.look.design]
  const accent = accentOf(publication)
  return [
    publication.look.design !== 'counter' &&
      `:root:root{${tokenNames.map((token) => `--${tokens[token]}:light-dark(${light[token]},${dark[token]})`).join(';')}}`,
    accent && accentStyles(accent),
    publication.logoDark && logoStyles,
  ]
    .filter(Boolean)
    .join('')
}

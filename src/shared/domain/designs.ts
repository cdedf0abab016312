import { accentStyles, logoStyles } from './accent-colors.ts'

/**
 * The designs of site and emails, and the sets from which publishers adjust them. Type, rules and layout of each design are
 * in designs.css for pages, and in mail/email-palette.ts for emails.
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
  book: 'Fraunces for light titles and running text',
  condensed: 'Instrument Sans with narrow titles',
} as const
export const widths = { narrow: 'Narrow', normal: 'Medium', wide: 'Wide' } as const
export const corners = { square: 'Square', slight: 'Slightly rounded', round: 'Round' } as const
export const headers = {
  left: 'Name on the left',
  centered: 'Name centered',
  picture: 'Logo above the name, centered',
} as const

/** A design with its adjustments. No word is in two of the sets, so that one attribute can hold them all. */
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
    label: 'Folio: white paper, book type, hairlines, plenty of space',
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

/** Value of `data-look`, which the rules of designs.css select by. */
export const lookAttribute = (look: Look): string => Object.values(look).join(' ')

/** Font files that every page preloads, named up to the axis of the variable font; `-normal.woff2` follows. */
export const fontFiles: Readonly<Record<Look['fonts'], readonly string[]>> = {
  fraunces: ['fraunces-latin-wght', 'instrument-sans-latin-wght'],
  book: ['fraunces-latin-opsz', 'instrument-sans-latin-wght'],
  condensed: ['instrument-sans-latin-standard', 'instrument-sans-latin-wght'],
}

/** The part of a publication that decides its colors. */
type Colors = { look: Look; accent: string }

/** The color that replaces pine: the publisher's, or else the design's; empty for Counter's own. */
export const accentOf = ({ look: { design }, accent }: Colors): string =>
  accent || (design === 'counter' ? '' : designs[design].color)

/** Rules that override the colors of palette.css, wherever it is loaded, and choose the logo of the theme. */
export function lookStyles(publication: Colors & { logoDark: object | null }): string {
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

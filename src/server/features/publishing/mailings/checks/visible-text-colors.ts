/** A run of text with its colors in light and dark mode. */
export type VisibleText = {
  text: string
  light: { color: string; background: string }
  dark: { color: string; background: string }
  /** From 24 px, or 18.66 px bold: may have less contrast (WCAG 2.2, 1.4.3). */
  large: boolean
}

type Colors = { color: string; background: string }
type Look = { tag: string; light: Colors; dark: Colors; size: number; bold: boolean; hidden: boolean }
type Declarations = Map<string, string>

/** Defaults of email clients. */
const defaultLook: Look = {
  tag: '',
  light: { color: '#000000', background: '#ffffff' },
  dark: { color: '#ffffff', background: '#000000' },
  size: 16,
  bold: false,
  hidden: false,
}
const voidTags = new Set(['img', 'br', 'hr', 'meta', 'link', 'col', 'input'])

/**
 * Computes text colors of an email rendered by us: all tags are closed, and colors are inline or in the dark mode rules.
 * Other HTML would need a browser.
 */
export function readVisibleTexts(html: string): VisibleText[] {
  const rules = darkRulesOf(html)
  const body = html.slice(html.indexOf('<body')).replace(/<!--(?:(?!<!--)[\s\S])*?-->/g, '')
  const stack: Look[] = [defaultLook]
  const seen: VisibleText[] = []
  for (const [, tag, text] of body.matchAll(/<([^<>]*)>|([^<]+)/g)) {
    const around = stack.at(-1) ?? defaultLook
    if (tag === undefined) {
      const words = (text ?? '').replace(/&#?\w+;/g, ' ').trim()
      if (words && !around.hidden) {
        const large = around.size >= 24 || (around.size >= 18.66 && around.bold)
        seen.push({ text: words, light: around.light, dark: around.dark, large })
      }
    } else if (tag.startsWith('/')) {
      if (stack.length > 1) stack.pop()
    } else if (!voidTags.has(nameOf(tag))) stack.push(lookOf(tag, around, rules))
  }
  return seen
}

const nameOf = (tag: string) => (/^[\w-]+/.exec(tag)?.[0] ?? '').toLowerCase()
const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]

function declarations(style: string): Declarations {
  return new Map(
    style.split(';').flatMap((each): [string, string][] => {
      const colon = each.indexOf(':')
      const value = each.slice(colon + 1).replace('!important', '')
      return colon === -1 ? [] : [[each.slice(0, colon).trim().toLowerCase(), value.trim()]]
    }),
  )
}

function lookOf(tag: string, around: Look, rules: ReadonlyMap<string, Declarations>): Look {
  const own = declarations(attribute(tag, 'style') ?? '')
  const inDark = new Map(own)
  for (const name of (attribute(tag, 'class') ?? '').split(' ')) {
    for (const [property, value] of rules.get(name) ?? []) inDark.set(property, value)
  }
  const cell = attribute(tag, 'bgcolor')
  const colors = (said: Declarations, inherited: Colors): Colors => ({
    color: said.get('color') ?? inherited.color,
    background: said.get('background-color') ?? said.get('background') ?? cell ?? inherited.background,
  })
  const font = /^(\d{3}) (\d+)px/.exec(own.get('font') ?? '')
  const size = Number(font?.[2] ?? Number.parseFloat(own.get('font-size') ?? String(around.size)))
  const weight = font?.[1] ?? own.get('font-weight')
  return {
    tag: nameOf(tag),
    light: colors(own, around.light),
    dark: colors(inDark, around.dark),
    size,
    bold: weight === undefined ? around.bold || /^(?:strong|b|th|h\d)$/.test(nameOf(tag)) : Number(weight) >= 600,
    hidden: around.hidden || own.get('display') === 'none' || attribute(tag, 'aria-hidden') === 'true',
  }
}

/** The rules under `prefers-color-scheme: dark`, by class. */
function darkRulesOf(html: string): ReadonlyMap<string, Declarations> {
  const sheet = /@media \(prefers-color-scheme: dark\) \{([\s\S]*?\})\s*\}/.exec(html)?.[1] ?? ''
  return new Map(
    [...sheet.matchAll(/\.([\w-]+) \{([^{}]*)\}/g)].map(([, name = '', body = '']) => [name, declarations(body)]),
  )
}

import { accentColors } from '#shared/domain/accent-colors.ts'

/**
 * The design tokens of client/styles.css as hex colors: email clients support neither color functions nor custom
 * properties. Each name is also a class in the markup.
 */
export const light = {
  paper: '#faf7f1',
  card: '#fefdf9',
  sunken: '#f2eee3',
  ink: '#261f1a',
  muted: '#5d554e',
  line: '#dad5cd',
  lineStrong: '#867f76',
  pine: '#0f533c',
  onPine: '#fcfaf5',
  accent: '#efa524',
  accentInk: '#7b470d',
  accentSoft: '#f9edce',
}
export const dark: Record<keyof typeof light, string> = {
  paper: '#1c1915',
  card: '#24201c',
  sunken: '#2d2824',
  ink: '#ebe7df',
  muted: '#b2aba1',
  line: '#413c38',
  lineStrong: '#867f77',
  pine: '#7acfa7',
  onPine: '#061b12',
  accent: '#f3b03b',
  accentInk: '#f4c66f',
  accentSoft: '#463317',
}

/**
 * Replaces pine with the publisher's accent color, in inline styles and in the dark mode rules. No text can contain
 * `style="`, because its quotation marks are escaped.
 */
export function withAccent(html: string, accent: string): string {
  if (!accent) return html
  const chosen = accentColors(accent)
  const recolor = (styles: string, from: typeof light, to: { primary: string; onPrimary: string }) =>
    styles.replaceAll(from.pine, to.primary).replaceAll(from.onPine, to.onPrimary)
  return html
    .replace(/(?:style|bgcolor)="[^"]*"/g, (attribute) => recolor(attribute, light, chosen.light))
    .replace(/<style>[^<]*<\/style>/g, (rules) => recolor(rules, dark, chosen.dark))
}

/** System fonts only: Outlook on Windows shows Times New Roman for a stack that starts with a font it doesn't have. */
export const serif = "Georgia, 'Times New Roman', serif"
export const sans = "'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
export const mono = "Consolas, Menlo, 'Courier New', monospace"

/** Dashes as on the site; clients that don't know them show dots. */
export const dashes = "list-style-type:'–  '"

/** Dark mode styles by class. Every element with an inline color has one of these classes. */
const darkRules: Record<string, Partial<Record<'color' | 'background-color' | 'border-color', string>>> = {
  paper: { 'background-color': dark.paper },
  sunken: { 'background-color': dark.sunken },
  quote: { 'background-color': dark.sunken, 'border-color': dark.pine },
  ink: { color: dark.ink },
  muted: { color: dark.muted },
  line: { 'border-color': dark.line },
  strong: { 'border-color': dark.lineStrong },
  rule: { 'border-color': dark.ink },
  example: { 'border-color': dark.accent },
  pine: { color: dark.pine },
  button: { 'background-color': dark.pine, color: dark.onPine },
  quiet: { 'background-color': dark.card, 'border-color': dark.lineStrong, color: dark.ink },
  mark: { color: dark.accent },
  reason: { color: dark.accentInk },
  placeholder: { 'background-color': dark.accentSoft, color: dark.accentInk },
}

function declare(used: ReadonlySet<string>, scopeOf: (property: string) => string): string {
  const lines = Object.entries(darkRules)
    .filter(([name]) => used.has(name))
    .flatMap(([name, rule]) =>
      Object.entries(Object.groupBy(Object.entries(rule), ([property]) => scopeOf(property))).map(
        ([scope, entries = []]) =>
          `${scope}.${name} { ${entries.map(([property, value]) => `${property}: ${value} !important`).join('; ')} }`,
      ),
    )
  return lines.join('\n')
}

/**
 * Dark mode rules for the classes used in `body`: by media query, and for Outlook on the web and mobile, which rewrites
 * colors and marks them with `data-ogsc` and `data-ogsb`.
 */
export function darkStyles(body: string): string {
  const used = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(' ')))
  const byOutlook = declare(used, (property) => (property === 'color' ? '[data-ogsc] ' : '[data-ogsb] '))
  return `@media (prefers-color-scheme: dark) {\n${declare(used, () => '')}\n}\n${byOutlook}`
}

/** Safe markup. Templates escape everything else. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

export type Part = Html | string | number | null | undefined | false | Part[]

const escapes: { [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.markup
  if (Array.isArray(part)) return part.map(render).join('')
  return String(part).replace(/[&<>"']/g, (character) => escapes[character] ?? '')
}

/** A template whose values are escaped, unless they are templates themselves. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(texts.reduce((all, text, index) => all + render(parts[index - 1]) + text))
}

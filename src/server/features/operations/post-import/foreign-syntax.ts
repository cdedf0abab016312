import { PostFileError } from './source-post.ts'

/** What changed in a text, and code of the old site that keeps the post a draft. */
type Read = { markdown: string; notes: string[]; blockers: string[] }

/** Changes everything but code. */
export const mapProse = (markdown: string, change: (prose: string) => string): string =>
  markdown
    .split(/(^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?^ {0,3}\2[`~]*[ \t]*$|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\3(?!`))/m)
    .map((piece, index) => (index % 4 === 0 ? change(piece) : index % 4 === 1 ? piece : ''))
    .join('')

/** `key="value"`, `key='value'` or `key=value`. */
const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/(?<![\w-])([\w-]+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g)].map(
      ([, key = '', a, b, c]) => [key.toLowerCase(), a ?? b ?? c ?? ''],
    ),
  )

const videos: Readonly<Record<string, (id: string) => string>> = {
  youtube: (id) => `[www.youtube.com](https://www.youtube.com/watch?v=${id})`,
  vimeo: (id) => `[vimeo.com](https://vimeo.com/${id})`,
}

const calloutKinds: Readonly<Record<string, string>> = {
  ...{ tip: 'TIP', hint: 'TIP', success: 'TIP', check: 'TIP', done: 'TIP', important: 'TIP' },
  ...{
    warning: 'WARNING',
    caution: 'WARNING',
    danger: 'WARNING',
    error: 'WARNING',
    attention: 'WARNING',
    bug: 'WARNING',
  },
}
const calloutOf = (kind: string, text: string) =>
  `\n> [!${calloutKinds[kind.toLowerCase()] ?? 'NOTE'}]\n${text.trim().replaceAll(/^/gm, '> ')}\n`

const figureOf = (given: string) => {
  const { src = '', alt = '', title = '', caption = '' } = attributesIn(given)
  const words = (caption || title).trim()
  return src ? `![${(alt || words).replaceAll(/[[\]]/g, '')}](${src})${words ? `\n\n*${words}*` : ''}` : ''
}

/** An id is the first value that isn't named, or the one named so. */
const idIn = (given: string) =>
  attributesIn(given).id ?? /(?:^|\s)["']?([\w-]{5,20})["']?(?:\s|$)/.exec(given)?.[1] ?? ''

const leftovers = /\{%[\s\S]*?%\}|\{\{<[\s\S]*?>\}\}|\{\{%[\s\S]*?%\}\}/g

/** Each of these may look for its end to the end of the text. Real posts have far fewer. */
const starts = /\{[{%]|\[\[|<!--|%%|`{3}|~{3}/g
/** Starts times length; about a second of work. */
const maxSearched = 300_000_000

/** Reads what Jekyll, Hugo and Obsidian add to Markdown. @throws PostFileError */
export function readForeignSyntax(source: string): Read {
  if ((source.match(starts)?.length ?? 0) * source.length > maxSearched) {
    throw new PostFileError('Its text has too much code of its old site')
  }
  const notes = new Set<string>()
  const noted = (note: string, text = '') => {
    notes.add(note)
    return text
  }
  const blockers: string[] = []
  const code = source
    .replaceAll(
      /\{%-?\s*highlight\s+(\w*)[^%]*%\}\n?([\s\S]*?)\n?\{%-?\s*endhighlight\s*-?%\}/g,
      (_, language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``,
    )
    .replaceAll(
      /\{\{[<%]\s*highlight\s+(\w*)[^>%]*[>%]\}\}\n?([\s\S]*?)\n?\{\{[<%]\s*\/highlight\s*[>%]\}\}/g,
      (_, language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``,
    )
  const markdown = mapProse(code, (prose) =>
    prose
      .replaceAll(/\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}/g, () =>
        noted('Removed: a hidden comment'),
      )
      .replaceAll(/\{%-?\s*(?:end)?raw\s*-?%\}/g, '')
      .replaceAll(/\{\{\s*site\.(?:base)?url\s*\}\}/g, '')
      .replaceAll(/\{\{\s*["'](\/[^"'{}]*)["']\s*\|\s*(?:relative|absolute)_url\s*\}\}/g, '$1')
      .replaceAll(/\{%-?\s*(?:post_url|link)\s+([^\s%]+)\s*-?%\}/g, '/$1')
      .replaceAll(/\{\{[<%]\s*(?:rel)?ref\s+["']?([^\s"'>%]+)["']?\s*[>%]\}\}/g, '/$1')
      .replaceAll(/\{\{[<%]\s*figure\s([^{}]*?)\/?[>%]\}\}/g, (_, given: string) => figureOf(given))
      .replaceAll(
        /\{\{[<%]\s*(youtube|vimeo)\s([^{}]*?)\/?[>%]\}\}|\{%-?\s*(?:include\s+)?(youtube|vimeo)(?:\.html)?\s([^%]*?)-?%\}/g,
        (whole, a?: string, given?: string, b?: string, more?: string) => {
          const id = idIn(given ?? more ?? '')
          return id ? noted('Changed into a link: an embed or video', videos[a ?? b ?? '']?.(id) ?? '') : whole
        },
      )
      .replaceAll(
        /\{\{([<%])\s*(?:notice|callout|admonition|alert|hint|note|tip|warning)\b([^{}]*?)[>%]\}\}([\s\S]*?)\{\{[<%]\s*\/\s*\w+\s*[>%]\}\}/g,
        (whole, _, given: string, text: string) =>
          calloutOf(
            /tip|hint|warning|caution|danger|success|important/i.exec(given || whole.slice(0, 20))?.[0] ?? '',
            text,
          ),
      )
      // Kramdown's attributes and table of contents.
      .replaceAll(/^[ \t]*[*-][ \t]+[^\n]*\n\{:\s*toc[^}\n]*\}[ \t]*$/gim, () => noted('Removed: a table of contents'))
      .replaceAll(/(?<![ \t])[ \t]*\{:[^{}\n]*\}/g, '')
      // Obsidian.
      .replaceAll(/%%[\s\S]*?%%/g, () => noted('Removed: a hidden comment'))
      .replaceAll(
        /!\[\[([^[\]|\n]+?\.(?:png|jpe?g|gif|webp))(?:\|([^[\]\n]*))?\]\]/gi,
        (_, file: string, words?: string) => {
          const alt = words && !/^\d+(?:x\d+)?$/.test(words) ? words : file.replace(/\.\w+$/, '')
          return `![${alt}](${encodeURI(file)})`
        },
      )
      .replaceAll(/!\[\[([^[\]\n]+)\]\]/g, (_, name: string) => noted(`Removed: the embedded note “${name}”`))
      .replaceAll(
        /\[\[([^[\]|#\n]+)(?:#[^[\]|\n]*)?(?:\|([^[\]\n]+))?\]\]/g,
        (_, page: string, words?: string) => `[${(words ?? page).trim()}](/${encodeURIComponent(page.trim())})`,
      )
      .replaceAll(/(?<![=\w])==(?=\S)([^=\n]+?)(?<=\S)==(?![=\w])/g, '$1')
      .replaceAll(/(?<![ \t])[ \t]+\^[a-z\d-]{3,}[ \t]*$/gim, '')
      .replaceAll(/^> ?\[!(\w+)\][+-]?[ \t]*([^\n]*)$/gm, (whole, kind: string, title: string) =>
        /^(?:note|tip|warning|prompt|copy|toggle|gallery|bookmark)$/i.test(kind) && !title
          ? whole
          : `> [!${calloutKinds[kind.toLowerCase()] ?? 'NOTE'}]${title ? `\n> **${title.trim()}**\n>` : ''}`,
      )
      .replaceAll(
        /^([ \t]*[-*+][ \t]+)\[([ xX])\][ \t]+/gm,
        (_, mark: string, on: string) => mark + (on === ' ' ? '☐ ' : '☑ '),
      )
      // Names of files with spaces.
      .replaceAll(/(\]\()<([^<>\n]+)>(?=\))/g, (_, start: string, address: string) => start + encodeAddress(address))
      .replaceAll(leftovers, (written) => {
        blockers.push(`it has code of its old site: ${written.slice(0, 60)}`)
        return written
      }),
  )
  return { markdown, notes: [...notes], blockers: [...new Set(blockers)] }
}

const encodeAddress = (address: string) =>
  address.trim().replaceAll(' ', '%20').replaceAll('(', '%28').replaceAll(')', '%29')

const firstName = /^(?:\w+[._])?(?:first[._]?name|fname)$/i
/** Names may have the converter's backslashes. */
const ghostNames =
  'first\\\\?_name|name|email|uuid|unsubscribe\\\\?_url|feedback\\\\?_url|post\\\\?_url|site\\\\?_title'
const fallback = '(?:\\s*,?\\s*["“”](?<fallback>[^"“”\\n]*)["“”])?'
/** Fields that other services fill in for each reader: of Ghost, Mailchimp, Kit and beehiiv, and Substack. */
const mergeFields: readonly RegExp[] = [
  new RegExp(`%%\\{\\s*(?<name>[\\w\\\\]+)${fallback}\\s*\\}%%`, 'g'),
  new RegExp(`(?<!\\{)\\{\\s*(?<name>${ghostNames})${fallback}\\s*\\}(?!\\})`, 'gi'),
  /\\?\*\\?\|\s*(?<name>[\w:.\\-]+?)\s*\\?\|\\?\*(?<fallback>)/g,
  /\{\{\s*(?<name>(?:subscriber|contact|user|member|recipient|person|newsletter|email)[._\\][\w.\\]*|unsubscribe[\w\\]*)\s*(?:\|\s*(?:default|fallback)\s*:?\s*["'“‘](?<fallback>[^"'”’\n]*)["'”’]\s*)?\}\}/gi,
  /%%(?<name>[a-z_\\]+)%%(?<fallback>)/g,
]

/** First names become ours. Of other fields, what they say without a value stays. */
export function readMergeFields(source: string): Omit<Read, 'blockers'> {
  const notes = new Set<string>()
  const change = (prose: string, pattern: RegExp) =>
    prose.replaceAll(pattern, (...found) => {
      const { name: written = '', fallback: otherwise = '' } = found.at(-1) as unknown as Record<
        string,
        string | undefined
      >
      const name = written.replaceAll('\\', '')
      if (firstName.test(name)) return `{{first_name${otherwise ? `|${otherwise}` : ''}}}`
      notes.add(`Removed: “${name.slice(0, 40)}”, which the old service filled in for each reader`)
      return otherwise
    })
  const markdown = mapProse(source, (prose) => mergeFields.reduce(change, prose))
  return { markdown, notes: [...notes] }
}

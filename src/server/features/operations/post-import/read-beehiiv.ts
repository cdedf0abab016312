import { createDocument } from '@mixmark-io/domino'
import { requireReasonable } from './html-to-markdown.ts'
import {
  escapeAttribute,
  maxPosts,
  PostFileError,
  parseDate,
  parseRows,
  plainTextOf,
  reasonToHide,
  type SourcePost,
} from './source-post.ts'
import { all, childrenOf, create, inLine, remove, replace } from './split-at-marks.ts'

/** Posts of beehiiv's export: a CSV file with the HTML of each email. */
export function readBeehiiv(csv: string): SourcePost[] {
  const rows = parseRows(csv, 'The CSV file')
  if (rows.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  return rows.map((row) => {
    const title = plainTextOf(row.web_title ?? row.title ?? '')
    const status = row.status?.trim().toLowerCase() ?? ''
    const audience = (row.audience ?? row.web_audiences ?? '').trim().toLowerCase()
    const isOpen = audience === 'free' || audience === 'all free subscribers'
    const hiddenBecause =
      status === 'confirmed' ? null : status === 'draft' ? 'it’s a draft at the source' : reasonToHide({ status })
    const address = row.url?.trim() ?? ''
    const thumbnail = row.thumbnail_url?.trim().replace(/^\/?(?=uploads\/)/, `${media}/`) ?? ''
    return {
      ...{ id: row.id || address, title, address, folder: '' },
      slug:
        row.slug?.trim() ||
        (address
          .replace(/[?#].*$/s, '')
          .split('/p/')[1]
          ?.replaceAll('/', '') ??
          ''),
      publishedAt: hiddenBecause === null && status ? parseDate(row.created_at) : null,
      hiddenBecause: status ? hiddenBecause : 'the file has no status for it',
      audience: isOpen ? 'open-until-divider' : 'limited',
      excerpt: plainTextOf(row.web_subtitle ?? row.subtitle ?? ''),
      tags: (row.content_tags ?? '').split(/[;,]/).flatMap((tag) => tag.trim() || []),
      notes:
        isOpen || /^(?:all )?premium(?: subscribers)?$/.test(audience)
          ? []
          : ['For members, because the file doesn’t say what free readers could see'],
      read: async () => ({
        html: contentOf(row.content_html ?? '', title),
        cover: /^https:/i.test(thumbnail) ? `<img src="${escapeAttribute(thumbnail)}" alt="">` : '',
      }),
    }
  })
}

/** Where beehiiv serves the pictures that it names without an address. */
const media = 'https://media.beehiiv.com/cdn-cgi/image/quality=100'

/** Around the text: hidden words for previews, the pixel for opens, share links, and the links below an email. */
const around = 'table.mob-block, td.b, td.f, [data-open-tracking], [style*="display:none"], [style*="display: none"]'

/** The text of an email, without the tables that set it and the title, which the drop has. */
function contentOf(html: string, title: string): string {
  requireReasonable(html)
  const document = createDocument(`<body>${html}</body>`)
  const content = all(document.body, '#content-blocks')[0] ?? document.body
  for (const element of all(content, around)) remove(element)
  for (const heading of all(content, 'h1')) if (inLine(heading.textContent) === title) remove(heading)
  for (const link of all(content, 'a[href*="{{"], img[src*="{{"]')) remove(link)
  // A table whose rows have one cell sets the page. Others are tables of the text.
  for (const table of all(content, 'table').toReversed()) {
    const rows = all(table, 'tr')
    if (rows.some((row) => Array.from(row.children).length > 1) && table.getAttribute('role') !== 'presentation')
      continue
    const cells = rows.flatMap((row) => Array.from(row.children))
    replace(table, ...cells.map((cell) => create(document, 'div', ...childrenOf(cell))))
  }
  for (const button of all(content, 'a[style*="background"], a[style*="padding:0px 14px"]')) {
    if (!button.querySelector('img')) replace(button, buttonOf(button))
  }
  return content.innerHTML

  function buttonOf(link: ReturnType<typeof all>[number]) {
    const card = create(document, 'div', link.cloneNode(true))
    card.setAttribute('class', 'kg-button-card')
    return card
  }
}

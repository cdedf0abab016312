import { z } from 'zod'
import type { ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import {
  decodeText,
  escapeAttribute,
  maxPosts,
  maxTextBytes,
  PostFileError,
  parseDate,
  parseRows,
  reasonToHide,
  type SourcePost,
} from './source-post.ts'

const maxListBytes = 200 * 1024 * 1024
const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)
const emailSchema = z.object({
  ...{ id: text, subject: text, slug: text, publish_date: text, status: text },
  ...{ email_type: text, description: text, image: text, absolute_url: text, body: text },
})

/** Emails of Buttondown's export: `emails.csv` or `emails.json`, and the texts as `emails/<slug>.md`. */
export async function readButtondown(zip: ZipFile, listPath: string): Promise<SourcePost[]> {
  const folder = listPath.slice(0, listPath.lastIndexOf('/') + 1)
  const list = decodeText(await zip.read(listPath, maxListBytes), listPath)
  const emails = z.array(emailSchema).safeParse(listPath.endsWith('.csv') ? parseRows(list, listPath) : parseJson(list))
  if (!emails.success) throw new PostFileError(`${listPath} isn’t a list of emails. Export it again`)
  if (emails.data.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  return emails.data.map((email) => {
    const [type, status] = [email.email_type ?? '', email.status ?? '']
    const id = email.id || email.slug || ''
    const path = [email.slug, email.id].map((name) => `${folder}emails/${name}.md`).find((name) => zip.has(name))
    // The list has only sent emails, unless it says otherwise.
    const isSent = /^(?:|sent|imported|published)$/.test(status)
    const hiddenBecause = isSent
      ? type === 'private'
        ? 'it was only sent to subscribers'
        : null
      : (reasonToHide({ status }) ?? `the file says “status: ${status.slice(0, 40)}”`)
    return {
      ...{ id, title: email.subject ?? '', slug: email.slug ?? '', address: email.absolute_url ?? '' },
      ...{ publishedAt: hiddenBecause === null ? parseDate(email.publish_date) : null, hiddenBecause },
      audience: type === 'public' ? 'open-until-divider' : 'limited',
      ...{ excerpt: email.description ?? '', tags: [], folder: `${folder}emails/` },
      notes: type ? [] : ['For members, because the file doesn’t say who could read it'],
      async read() {
        const body = path ? decodeText(await zip.read(path, maxTextBytes), path) : email.body
        if (!body) throw new PostFileError('Its text is missing from the export')
        return toText(body, email.image ?? '')
      },
    }
  })
}

function parseJson(list: string): unknown {
  try {
    return JSON.parse(list)
  } catch {
    return null
  }
}

/** A comment at the start says whether the text is HTML. Forms work at Buttondown only. */
function toText(body: string, image: string) {
  const [comment = '', mode] = /^\s*<!--\s*buttondown-editor-mode:\s*(\w+)\s*-->\s*/.exec(body) ?? []
  const written = body.slice(comment.length).replaceAll(/^\s*\{\{\s*subscribe_form\s*\}\}\s*$/gm, '')
  const isHTML = mode === 'fancy' || (!mode && /^\s*<(?:p|h\d|div|figure|ul|ol)\b/i.test(written))
  const isPicture = /^https:\/\/\S+$/.test(image)
  if (isHTML) return { html: written, cover: isPicture ? `<img src="${escapeAttribute(image)}" alt="">` : '' }
  return { markdown: isPicture ? `![](${image})\n\n${written}` : written }
}

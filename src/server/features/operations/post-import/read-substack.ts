import type { ZipFile } from '#server/features/operations/archive/zip-reader.ts'
import {
  decodeHTML,
  decodeText,
  emailOnly,
  maxPosts,
  maxTextBytes,
  PostFileError,
  parseDate,
  parseRows,
  reasonToHide,
  type SourcePost,
  sourcePage,
} from './source-post.ts'

const maxListBytes = 50 * 1024 * 1024

/** Posts of Substack's export: `posts.csv` and one HTML file each, `posts/<post_id>.html`. */
export async function readSubstack(zip: ZipFile, listPath: string): Promise<SourcePost[]> {
  const folder = listPath.slice(0, listPath.lastIndexOf('/') + 1)
  const list = decodeText(await zip.read(listPath, maxListBytes), 'posts.csv')
  const rows = parseRows(list, 'posts.csv').filter(({ post_id }) => post_id)
  if (rows.length > maxPosts) throw new PostFileError(`The file has more than ${maxPosts} posts`)
  return rows.map((row) => {
    const id = row.post_id ?? ''
    if (row.type === 'page') return sourcePage(id, decodeHTML(row.title ?? ''))
    const path = findFile(zip, folder, id)
    const isPublished = row.is_published?.trim().toLowerCase() === 'true'
    const audience = row.audience?.trim().toLowerCase() ?? ''
    const hiddenBecause = isPublished
      ? (reasonToHide({ audience }) ?? reasonOfType(row.type))
      : 'it’s a draft at the source'
    return {
      // "148210.leaving-the-feed": the number stays if the title changes.
      id: id.split('.')[0] ?? id,
      title: decodeHTML(row.title ?? ''),
      slug:
        id.split('.').slice(1).join('-') ||
        (path
          ?.split('/')
          .at(-1)
          ?.replace(/^\d+\.|\.html$/g, '') ??
          ''),
      publishedAt: hiddenBecause === null ? parseDate(row.post_date) : null,
      hiddenBecause,
      audience: audience === 'everyone' ? 'open-until-divider' : 'limited',
      excerpt: decodeHTML(row.subtitle ?? ''),
      tags: [],
      folder,
      notes: [
        ...(audienceNotes[audience] ?? []),
        ...(row.type === 'podcast' ? ['Removed: the audio of a podcast'] : []),
        ...(row.type === 'thread' ? ['Removed: the comments of a thread'] : []),
      ],
      read: async () => {
        if (!path) throw new PostFileError('Its HTML file is missing from the export')
        return { html: decodeText(await zip.read(path, maxTextBytes), path) }
      },
    }
  })
}

const audienceNotes: Readonly<Record<string, string[]>> = {
  founding: ['For founding members at the source; here, every paying member can read it'],
  only_free: ['For free subscribers at the source; here, only paying members can read it'],
}

/** Emails to some subscribers are in the list as well. */
function reasonOfType(given = ''): string | null {
  const type = given.trim().toLowerCase()
  if (['', 'newsletter', 'podcast', 'thread', 'video', 'note', 'restack'].includes(type)) return null
  return type.includes('email') ? emailOnly : `the file says “type: ${type.slice(0, 40)}”`
}

function findFile(zip: ZipFile, folder: string, id: string): string | undefined {
  const exact = `${folder}posts/${id}.html`
  if (zip.has(exact)) return exact
  return zip.paths.find((path) => path.startsWith(`${folder}posts/${id}.`) && path.endsWith('.html'))
}

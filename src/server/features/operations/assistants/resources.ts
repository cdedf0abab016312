import {
  type CompleteResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server'
import { AppError } from '#shared/errors.ts'
import { type Assistant, asContent, invalid, pageOf, slugOfPath } from './assistant.ts'
import { orderedItems, orderedPacks } from './ordered-items.ts'
import { howToGet, joined, promptText, readDrop, readItem } from './read-item.ts'

/** Longer texts are cut; the tool `fetch` reads them in parts. */
const maxResourceLength = 200_000
const mimeType = 'text/markdown'

const kinds = { drops: 'A drop', packs: 'A prompt pack', guides: 'A guide, with the text of its file' } as const
type Kind = keyof typeof kinds

const uriOf = (kind: Kind, name: string) => `library://${kind}/${name}`

type Listed = { kind: Kind; name: string; title: string; about: string }

/** Drops, packs and guides in the person's order; without a plan, the drops whose opening everyone may read. */
async function listAll(assistant: Assistant): Promise<Listed[]> {
  const drops = (await orderedItems(assistant, 'drops')).items.map(({ id, path, ...item }) => ({
    ...item,
    kind: 'drops' as const,
    name: slugOfPath(path) || id.slice('drop:'.length),
  }))
  const { packs } = await orderedPacks(assistant)
  const { items: guides } = await orderedItems(assistant, 'guides')
  return [
    ...drops,
    ...packs.map(({ id, title, summary }) => ({ kind: 'packs' as const, name: id, title, about: summary })),
    ...guides.map(({ id, ...item }) => ({ ...item, kind: 'guides' as const, name: id.slice('guide:'.length) })),
  ]
}

export async function listResources(assistant: Assistant, cursor: string | undefined): Promise<ListResourcesResult> {
  const { items, nextCursor } = pageOf(await listAll(assistant), cursor)
  return {
    resources: items.map(({ kind, name, title, about }) => ({
      uri: uriOf(kind, name),
      name,
      title,
      description: about,
      mimeType,
    })),
    ...(nextCursor !== null && { nextCursor }),
  }
}

export const listTemplates = (): ListResourceTemplatesResult => ({
  resourceTemplates: (Object.keys(kinds) as Kind[]).map((kind) => ({
    uriTemplate: uriOf(kind, '{name}'),
    name: kind,
    title: kinds[kind],
    mimeType,
  })),
})

export async function completeResource(
  assistant: Assistant,
  uriTemplate: string,
  value: string,
): Promise<CompleteResult> {
  const kind = (Object.keys(kinds) as Kind[]).find((name) => uriTemplate === uriOf(name, '{name}'))
  if (!kind) throw invalid('There is no such template')
  const values = (await listAll(assistant)).flatMap((item) =>
    item.kind === kind && item.name.includes(value.trim().toLowerCase()) ? item.name : [],
  )
  return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } }
}

export async function readResource(assistant: Assistant, uri: string): Promise<ReadResourceResult> {
  const [, kind, name] = /^library:\/\/(drops|packs|guides)\/([^/?#\0]{1,200})$/.exec(uri) ?? []
  if (!kind || !name) throw new ResourceNotFoundError(uri)
  const text = await textOf(assistant, kind as Kind, name).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 404 ? new ResourceNotFoundError(uri) : error
  })
  const cut = text.length > maxResourceLength
  const shown = cut ? `${text.slice(0, maxResourceLength).toWellFormed()}\n\nThe rest: use \`fetch\`.` : text
  return { contents: [{ uri, mimeType, text: asContent(shown) }] }
}

async function textOf(assistant: Assistant, kind: Kind, name: string): Promise<string> {
  if (kind === 'drops') return (await readDrop(assistant, name)).text
  if (kind === 'guides') return (await readItem(assistant, { kind: 'guide', id: name })).text
  const pack = (await orderedPacks(assistant)).packs.find(({ id }) => id === name)
  if (!pack && !assistant.hasAccess) return `This prompt pack isn’t open to you. ${howToGet(assistant)}`
  if (!pack) throw new AppError('not_found')
  return joined([
    `# ${pack.title}`,
    pack.summary,
    ...pack.prompts.map((prompt) => promptText(prompt).replaceAll(/^#/gm, '##')),
  ])
}

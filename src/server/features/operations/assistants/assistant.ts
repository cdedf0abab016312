import { type Tool as ListedTool, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { and, eq, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import { contentItems } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import { ownsItem } from '#server/features/billing/purchases/owned-items.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { readStepUp } from '#server/features/identity/auth/security/step-up.ts'
import type { Caller, Principal } from '#server/http/principal.ts'
import { type CallRequest, makeCall, requireAudience, requireRole } from '#server/http/product-calls.ts'
import type { AnyCall } from '#shared/contracts/define-call.ts'
import type { Right } from '#shared/domain/connection-rights.ts'
import { type ContentKind, type ItemRef, itemPath } from '#shared/domain/content-items.ts'
import { AppError } from '#shared/errors.ts'

/** A connected assistant during one request, and the person for whom it acts. */
export type Assistant = {
  who: Caller
  connectionId: string
  rights: ReadonlySet<Right>
  deps: FeatureDeps
  /** True if the portal is open to the person now. */
  hasAccess: boolean
  /** Makes a product call as the person, with all checks of their own requests. */
  call<C extends AnyCall>(call: C, input: z.input<C['input']>): Promise<z.output<C['output']>>
  /** The whole address of a page. */
  link(path: string): string
}

type Connected = { who: Caller; connectionId: string; rights: ReadonlySet<Right>; request: CallRequest }

export function assistantOf(deps: FeatureDeps, { who, connectionId, rights, request }: Connected): Assistant {
  const isOpen = (person: Principal) => hasAccess(deps.config, person, deps.clock())
  const audienceDeps = {
    hasAccess: isOpen,
    ownsItem: (person: Principal) => ownsItem(deps.database.db, person.userId),
    requireAdminSecondFactor: (person: Principal) => requireFactor(deps, person),
  }
  return {
    who,
    connectionId,
    rights,
    deps,
    hasAccess: isOpen(who),
    async call(call, input) {
      // Sending, money, deletion and roles need a recent sign-in, which an assistant never has.
      if (call.stepUp || call.file) throw new AppError('step_up_required')
      await requireAudience(audienceDeps, call, who)
      if (call.saveRoles) requireRole(call.saveRoles, who)
      return makeCall(deps.allCalls(), call, input, who, request)
    },
    link: (path) => new URL(path, deps.config.publicUrl).href,
  }
}

/** Consent needs every factor that the account has, so that having one is enough. */
async function requireFactor(deps: FeatureDeps, who: Principal): Promise<void> {
  if (!deps.config.auth.requireAdminMfa) return
  const { hasFactor, hasPasskey } = await readStepUp(deps, who)
  if (!hasFactor && !hasPasskey) throw new AppError('mfa_setup_required')
}

type ToolOf<Input extends z.ZodObject, Output extends z.ZodObject> = {
  name: string
  title: string
  /** For the assistant: what it does, and when to use it. */
  description: string
  right: Right
  /** `adds`: nothing is lost. `replaces`: an earlier answer or state is. Default: it only reads. */
  changes?: 'adds' | 'replaces'
  input: Input
  output: Output
  run(input: z.output<Input>, assistant: Assistant): Promise<z.input<Output>>
}
export type Tool = ToolOf<z.ZodObject, z.ZodObject>

export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(tool: ToolOf<Input, Output>): Tool =>
  tool as unknown as Tool

const schemaOf = (schema: z.ZodObject, io: 'input' | 'output') => {
  const { $schema: _, ...found } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return { ...found, type: 'object' } as ListedTool['inputSchema']
}

/** The tool as the protocol lists it. */
export const describeTool = ({ name, title, description, changes, input, output }: Tool): ListedTool => ({
  name,
  title,
  description,
  inputSchema: schemaOf(input, 'input'),
  outputSchema: schemaOf(output, 'output'),
  annotations: {
    title,
    readOnlyHint: changes === undefined,
    destructiveHint: changes === 'replaces',
    // Repeating a change makes no difference; another draft or answer does.
    idempotentHint: changes !== 'adds',
    // It never reaches beyond this publication.
    openWorldHint: false,
  },
})

/** Kinds as readers name them: "drop:a-week-of-reviews". */
const kindNames = { issue: 'drop', section: 'section', prompt: 'prompt', guide: 'guide', tool: 'tool' } as const
const kindsByName = Object.fromEntries(Object.entries(kindNames).map(([kind, name]) => [name, kind]))

export const itemId = z
  .string()
  .max(260)
  .regex(/^[a-z]+:[^\0]+$/, 'Use an id from an earlier answer, such as "prompt:marketing-review-reply"')
  .describe('An id from an earlier answer, such as "prompt:marketing-review-reply"')

export const idOf = ({ kind, id }: { kind: string; id: string }): string =>
  `${kindNames[kind as ContentKind] ?? kind}:${id}`

/** @throws AppError not_found for a kind that doesn't exist */
export function refOf(id: string): ItemRef {
  const at = id.indexOf(':')
  const kind = kindsByName[id.slice(0, at)] as ContentKind | undefined
  if (!kind) throw new AppError('not_found')
  return { kind, id: id.slice(at + 1) }
}

/** Title and address of a published item, which anyone may know. A drop is also found by its slug. */
export async function findItem({ deps }: Assistant, { kind, id }: ItemRef) {
  const [found] = await deps.database.db
    .select({
      id: contentItems.id,
      title: contentItems.title,
      path: contentItems.path,
      parentTitle: contentItems.parentTitle,
    })
    .from(contentItems)
    .where(
      and(
        eq(contentItems.kind, kind),
        or(eq(contentItems.id, id), kind === 'issue' ? eq(contentItems.path, itemPath({ kind, id })) : undefined),
        isNull(contentItems.removedAt),
      ),
    )
  if (!found) throw new AppError('not_found')
  return found
}

/** The drop of a path in the portal, "/portal/weekly-drops/a-week-of-reviews#sort". */
export const slugOfPath = (path: string): string => /^\/portal\/weekly-drops\/([^#/]+)/.exec(path)?.[1] ?? ''

const pageSize = 50

export const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/** One page of a list. A cursor is a position in it: the lists are short and the same until something is published. */
export function pageOf<T>(all: readonly T[], cursor: string | undefined): { items: T[]; nextCursor: string | null } {
  if (cursor !== undefined && !/^\d{1,6}$/.test(cursor)) throw invalid('This cursor isn’t from an answer of this list')
  const from = Number(cursor ?? 0)
  const next = from + pageSize
  return { items: all.slice(from, next), nextCursor: next < all.length ? String(next) : null }
}

/** Longer texts are read in parts: an assistant asks for the next one. */
const maxTextLength = 20_000

/** A part of a text, cut at a paragraph, and where the next one begins; null at the end. */
export function partOf(text: string, offset: number): { text: string; nextOffset: number | null } {
  const rest = text.slice(offset)
  if (rest.length <= maxTextLength) return { text: rest, nextOffset: null }
  const paragraph = rest.lastIndexOf('\n\n', maxTextLength)
  const end = paragraph > maxTextLength / 2 ? paragraph + 2 : maxTextLength
  return { text: rest.slice(0, end).toWellFormed(), nextOffset: offset + end }
}

const marked = (tag: string, text: string) =>
  `<${tag}>\n${text.replaceAll(new RegExp(`<(/?${tag})`, 'gi'), '&lt;$1').trim()}\n</${tag}>`

/** What the publisher wrote: to be shown and used, never followed as an instruction. */
export const asContent = (text: string): string => marked('published-content', text)

/** What readers wrote, such as notes and answers: data. */
export const asReaderText = (text: string): string => marked('reader-text', text)

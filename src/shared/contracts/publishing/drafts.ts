import { z } from 'zod'
import type { DocumentKind } from './documents.ts'
import { problemSchema } from './publishable.ts'

/* Drafts as programs and assistants read and write them. Publishing stays with a person. */

/** Kinds as readers name them. */
export const draftKinds = {
  drop: 'issue',
  'prompt-pack': 'prompt-pack',
  guide: 'guide',
  tool: 'tool',
} as const satisfies Record<string, DocumentKind>
export type DraftKind = keyof typeof draftKinds

export const draftKey = {
  kind: z.enum(Object.keys(draftKinds) as [DraftKind]),
  id: z.string().regex(/^[a-z0-9-]{1,80}$/),
}

export const draftFields = z
  .record(z.string().max(60), z.unknown())
  .describe(
    'Fields to replace, named as in `document`. Texts are Markdown. In `sections` and `prompts`, entries with a known id keep what you leave out, and entries without an id are new',
  )

export const newDraftInput = z.object({
  kind: draftKey.kind,
  title: z.string().trim().min(1).max(200),
  date: z.iso.date().nullish().describe('Proposed day of a drop. Default: the next free day of the weekly rhythm'),
  fields: draftFields.default({}),
})

export const draftEditInput = z.object({
  ...draftKey,
  version: z.int().min(0).max(1_000_000_000).describe('The version that was read'),
  fields: draftFields,
})

export const draftSchema = z.object({
  kind: draftKey.kind,
  id: z.string(),
  version: z.int(),
  document: z.record(z.string(), z.unknown()),
  problems: z
    .array(problemSchema)
    .describe('What the checks found. Only warnings may be left when a person publishes it'),
  reviewUrl: z.string().describe('Where a person reviews, schedules and publishes it'),
})

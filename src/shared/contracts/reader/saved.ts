import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { contentKinds } from '#shared/domain/content-items.ts'

/** When the reader made the change. For each key the server keeps the newest change, whatever the order of arrival. */
export const changedAt = z.iso.datetime()

export const maxCollections = 200
export const maxCollectionName = 60
/** Larger collections show this number and a plus sign. */
export const maxCountedItems = 1_000

/** One line of visible text. */
const collectionName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(maxCollectionName, `Use at most ${maxCollectionName} characters`)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Use one line without control characters')
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'Enter a name')

export const saveItemCall = defineCall({
  name: 'save-item',
  audience: 'subscriber',
  input: itemRefSchema.extend({ saved: z.boolean(), at: changedAt }),
  /** The stored state, which may be a newer change of another device. */
  output: z.object({ saved: z.boolean(), at: z.iso.datetime() }),
})

const savedItemSchema = itemRefSchema.extend({
  title: z.string(),
  /** Null once readers can't open it anymore. */
  path: z.string().nullable(),
  /** The drop of a section; null for other kinds. */
  parentTitle: z.string().nullable(),
  savedAt: z.iso.datetime(),
})
export type SavedItem = z.infer<typeof savedItemSchema>

export const savedItemsCall = defineCall({
  name: 'saved-items',
  audience: 'subscriber',
  input: z.object({
    /** Everything saved if it is missing. */
    collectionId: z.uuid().nullish(),
    kind: z.enum(contentKinds).nullish(),
    cursor: z.string().max(1_000).nullish(),
    limit: z.number().int().min(1).max(100).optional(),
  }),
  /** Newest first. */
  output: z.object({ items: z.array(savedItemSchema), nextCursor: z.string().nullable() }),
})

const collectionSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Items in it that are saved, at most `maxCountedItems`. */
  count: z.number().int().nonnegative(),
  /** When its name last changed. */
  at: z.iso.datetime(),
})
export type Collection = z.infer<typeof collectionSchema>

export const collectionsCall = defineCall({
  name: 'collections',
  audience: 'subscriber',
  input: z.object({}),
  /** By name. */
  output: z.object({ collections: z.array(collectionSchema) }),
})

export const saveCollectionCall = defineCall({
  name: 'save-collection',
  audience: 'subscriber',
  input: z.object({
    /** Made by the client. A known id is renamed; a deleted one is restored with its items. */
    id: z.uuid(),
    name: collectionName,
    at: changedAt,
    /** The outcome if the reader has a collection of that name. Default: refuse. */
    ifNameTaken: z.enum(['refuse', 'number']).optional(),
  }),
  output: z.object({ id: z.uuid(), name: z.string(), at: z.iso.datetime() }),
})

export const deleteCollectionCall = defineCall({
  name: 'delete-collection',
  audience: 'subscriber',
  /** The items stay saved. */
  input: z.object({ id: z.uuid(), at: changedAt }),
  output: z.object({ deleted: z.boolean(), at: z.iso.datetime() }),
})

export const collectItemCall = defineCall({
  name: 'collect-item',
  audience: 'subscriber',
  /** Adding an item also saves it. */
  input: itemRefSchema.extend({ collectionId: z.uuid(), member: z.boolean(), at: changedAt }),
  output: z.object({ member: z.boolean(), at: z.iso.datetime() }),
})

export const itemCollectionsCall = defineCall({
  name: 'item-collections',
  audience: 'subscriber',
  input: itemRefSchema,
  /** All collections by name, and whether the item is in each. */
  output: z.object({
    collections: z.array(
      collectionSchema.pick({ id: true, name: true }).extend({
        member: z.boolean(),
        /** When the item was last added or removed. */
        changedAt: z.iso.datetime().nullable(),
      }),
    ),
  }),
})
export type ItemCollection = z.infer<typeof itemCollectionsCall.output>['collections'][number]

const readableRefSchema = itemRefSchema.extend({ kind: z.enum(['issue', 'section']) })

export const markReadCall = defineCall({
  name: 'mark-read',
  audience: 'subscriber',
  /** The earliest reading counts. Items that don't exist are ignored. */
  input: z.object({ items: z.array(readableRefSchema).min(1).max(500), at: changedAt }),
  output: z.object({}),
})

export const savePositionCall = defineCall({
  name: 'save-position',
  audience: 'subscriber',
  input: z.object({
    issueId: itemRefSchema.shape.id,
    /** The section that was in view last. */
    sectionId: itemRefSchema.shape.id,
    /** Sections that were scrolled past. */
    readSections: z.array(itemRefSchema.shape.id).max(100),
    /** True once the reader reached the end; it stays true. */
    finished: z.boolean(),
    at: changedAt,
  }),
  output: z.object({}),
})

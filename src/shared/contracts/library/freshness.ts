import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { itemUses } from '#shared/domain/item-uses.ts'
import { itemRefSchema } from './content-items.ts'

/** Records that the reader copied or downloaded an item. A repeat with the same `at` changes nothing. */
export const recordItemUseCall = defineCall({
  name: 'record-item-use',
  audience: 'subscriber',
  input: itemRefSchema.extend({ use: z.enum(itemUses), at: z.iso.datetime() }),
  output: z.object({ firstAt: z.iso.datetime(), lastAt: z.iso.datetime() }),
})

/** Hides what changed up to a version. Does nothing if a later version was dismissed before. */
export const dismissChangeCall = defineCall({
  name: 'dismiss-change',
  audience: 'subscriber',
  input: itemRefSchema.extend({ version: z.int32().positive() }),
  output: z.object({ version: z.int32() }),
})

/** Changes of each version of an item, newest first. */
export const itemChangesCall = defineCall({
  name: 'item-changes',
  audience: 'subscriber',
  input: itemRefSchema,
  output: z.object({
    changes: z.array(z.object({ version: z.int32(), changedAt: z.iso.datetime(), note: z.string() })),
  }),
})

import { z } from 'zod'

/** Returns true if a text has the format of a key. Which keys exist is the publisher's decision (decision 75). */
export const isOptionKey = (text: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N} &_-]{0,59}$/u.test(text)

export const optionKeySchema = z.string().refine(isOptionKey, 'must be one of the options')

/** Has no duplicates. `error` is the message for what isn't a list. */
export const optionKeysSchemaOf = (error?: string) =>
  z
    .array(optionKeySchema, error)
    .max(120)
    .transform((keys) => [...new Set(keys)])
export const optionKeysSchema = optionKeysSchemaOf()

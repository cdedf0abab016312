import type { Context } from 'hono'
import { z } from 'zod'
import type { AppEnv } from '#server/http/principal.ts'
import { rejectUnstorableText } from '#server/http/read-json.ts'
import { hasControlCharacters } from '#shared/domain/business-profile.ts'
import { maxCrewName, maxTaskNumber, maxTaskQuestion } from '#shared/domain/task-links.ts'
import { AppError } from '#shared/errors.ts'

/** Of a photo. Phones without the page's script send it as it is. */
export const maxPhotoBytes = 12 * 1024 * 1024
/** With the fields of the form. */
export const maxUploadBytes = maxPhotoBytes + 64 * 1024

const line = (max: number) =>
  z
    .string()
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .refine((text) => text.length <= max && !hasControlCharacters(text))

const formSchema = z.object({
  action: z.enum(['done', 'question']),
  name: line(maxCrewName).refine((name) => name !== ''),
  number: line(maxTaskNumber).default(''),
  question: z
    .string()
    .trim()
    .max(maxTaskQuestion)
    .refine((text) => !hasControlCharacters(text))
    .default(''),
})
export type TaskForm = z.infer<typeof formSchema> & { photo: Uint8Array | null }

/** @throws AppError validation_failed, request_entity_too_large */
export async function readTaskForm(c: Context<AppEnv>): Promise<TaskForm> {
  if (Number(c.req.header('content-length') ?? 0) > maxUploadBytes) throw new AppError('request_entity_too_large')
  const form = await c.req.parseBody().catch((cause: unknown) => {
    throw cause instanceof AppError ? cause : new AppError('validation_failed', { cause })
  })
  const parsed = formSchema.safeParse(form)
  if (!parsed.success) throw new AppError('validation_failed')
  rejectUnstorableText(parsed.data)
  const { photo } = form
  // A form without a photo sends an empty file.
  const hasPhoto = photo instanceof File && photo.size > 0
  if (hasPhoto && photo.size > maxPhotoBytes) throw new AppError('request_entity_too_large')
  return { ...parsed.data, photo: hasPhoto ? new Uint8Array(await photo.arrayBuffer()) : null }
}

/** A name that the page's script sends when it is typed; empty for anything that isn't one. */
export const readName = (text: unknown): string => formSchema.shape.name.safeParse(text).data ?? ''

import { z } from 'zod'
import { defineAdminCall, defineCall } from '#shared/contracts/define-call.ts'
import { itemRefSchema } from '#shared/contracts/library/content-items.ts'
import { changedAt } from '#shared/contracts/reader/saved.ts'

/** Size of an upload's pieces, except the last one. Requests stay short on a slow connection. */
export const recordingPieceBytes = 1024 * 1024

const issueId = itemRefSchema.shape.id
const seconds = z.number().int().min(0).max(86_400)
/** The second at which a section begins, by the section's id. */
const starts = z.record(issueId, seconds)
const digits = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)

const recordingSchema = z.object({
  originalName: z.string(),
  format: z.enum(['mp3', 'm4a', 'wav']),
  bytes: z.number().int(),
  seconds,
  starts,
})
export type Recording = z.infer<typeof recordingSchema>

/** The recording of a drop, published or not. `downloads` counts each person once a day. */
export const adminRecordingCall = defineAdminCall({
  name: 'admin-recording',
  roles: ['owner', 'editor'],
  input: z.object({ issueId }),
  output: z.object({
    recording: recordingSchema.nullable(),
    downloads: z.number().int(),
    limits: z.object({ bytes: z.number(), seconds: z.number() }),
  }),
})

/** The body is a piece, and `id` names the upload. After the last one, the file is checked and replaces the recording. */
export const adminUploadRecordingCall = defineAdminCall({
  name: 'admin-upload-recording',
  roles: ['owner', 'editor'],
  file: { maxBytes: recordingPieceBytes },
  input: z.object({ id: z.uuid(), issueId, name: z.string().max(300), bytes: digits, piece: digits }),
  output: z.object({ recording: recordingSchema.nullable() }),
})

/** Replaces the starts of all sections; null deletes the recording. */
export const adminChangeRecordingCall = defineAdminCall({
  name: 'admin-change-recording',
  roles: ['owner', 'editor'],
  invalidates: ['admin-recording', 'issues'],
  input: z.object({ issueId, starts: starts.nullable() }),
  output: z.object({}),
})

/** What a player needs. `url` is the member's own and works while they have access. */
export const recordingCall = defineCall({
  name: 'recording',
  audience: 'subscriber',
  input: z.object({ issueId }),
  output: z.object({
    url: z.url(),
    seconds,
    chapters: z.array(z.object({ title: z.string(), start: seconds })),
    /** Where the reader stopped on any device, or 0. */
    position: seconds,
  }),
})

/** Keeps the latest position by `at`, whatever the order of arrival. */
export const saveListeningCall = defineCall({
  name: 'save-listening',
  audience: 'subscriber',
  input: z.object({ issueId, seconds, at: changedAt }),
  output: z.object({}),
})

/** `url` has the token of the member's other feeds. It is null while no drop has a recording. `qr` is a data URL. */
export const podcastCall = defineCall({
  name: 'podcast',
  audience: 'subscriber',
  input: z.object({}),
  output: z.object({ url: z.url().nullable(), qr: z.string() }),
})

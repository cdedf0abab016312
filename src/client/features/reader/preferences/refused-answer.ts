import { CallError } from '#client/lib/calls.ts'
import type { Preferences } from '#shared/contracts/reader/preferences.ts'

/** The question whose options changed while the page was open, and what the server says; null for other errors. */
export function refusedAnswer(error: unknown): { question: keyof Preferences; message: string } | null {
  if (!(error instanceof CallError) || error.code !== 'validation_failed') return null
  const { question } = error.body as { question?: keyof Preferences }
  return question ? { question, message: error.message } : null
}

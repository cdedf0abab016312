/** Mails and text messages to one address leave at most once a minute. */
export const resendIntervalSeconds = 60

/** What the server says must still be waited ("… after 42 seconds."); the whole interval when it names no number. */
export function resendDelaySeconds(error: unknown): number | null {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code !== 'over_email_send_rate_limit' && code !== 'over_sms_send_rate_limit') return null
  const named = /(\d+) second/.exec(String(message))
  return named ? Number(named[1]) : resendIntervalSeconds
}

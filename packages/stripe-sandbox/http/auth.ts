import { ApiError } from './errors.ts'

const refuse = (message: string): ApiError => new ApiError(401, 'invalid_request_error', message)

function keyOf(header: string | undefined): string {
  const [scheme = '', value = ''] = (header ?? '').split(/\s+/, 2)
  if (scheme.toLowerCase() === 'bearer') return value
  if (scheme.toLowerCase() !== 'basic') return ''
  return Buffer.from(value, 'base64').toString('utf8').split(':', 1)[0] ?? ''
}

/**
 * Accepts all test keys, since there is one account. Keys never appear in responses or logs.
 * @throws ApiError 401
 */
export function requireTestKey(header: string | undefined): void {
  const key = keyOf(header)
  if (key === '') {
    throw refuse(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    )
  }
  if (/^[a-z]+_live_/.test(key)) {
    throw refuse(
      'This is a local stand-in for Stripe: it refuses live keys. Use a secret key that begins with sk_test_.',
    )
  }
  if (!/^sk_test_[A-Za-z0-9_]{1,240}$/.test(key)) {
    throw refuse('Invalid API Key provided. This sandbox accepts secret test keys, which begin with sk_test_.')
  }
}

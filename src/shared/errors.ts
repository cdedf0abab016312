/**
 * The table of expected failures: status and text for each code. Codes that the auth protocol knows keep its names and
 * customary messages, since existing clients match on them. Clients decide by code; people read the message.
 */
export const errorTable = {
  // Product calls (spec §8)
  not_authenticated: [401, 'Not authenticated'],
  not_subscribed: [403, 'You need an active subscription to access the portal'],
  not_admin: [403, 'Access denied. Admin privileges required.'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  plan_unavailable: [400, 'This plan is not available'],
  no_billing_account: [409, 'No billing account yet'],
  stripe_unavailable: [502, 'The payment service does not answer. Nothing was changed; please try again.'],
  invalid_signature: [400, 'Invalid signature'],
  link_expired: [410, 'This link has expired. Please ask for a new one.'],
  overloaded: [429, 'Too many requests at once. Please try again in a moment.'],

  // Auth protocol, section 2
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'The request is not valid'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [403, 'User is banned'],
  user_already_exists: [422, 'User already registered'],
  email_exists: [422, 'A user with this email address has already been registered'],
  weak_password: [422, 'Password should be at least 6 characters.'],
  same_password: [422, 'New password should be different from the old password.'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  phone_provider_disabled: [400, 'Phone signups are disabled'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  otp_expired: [403, 'Email link is invalid or has expired'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'invalid JWT: unable to parse or verify signature'],
  user_not_found: [403, 'User not found'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  insufficient_aal: [403, 'AAL2 required'],
  mfa_factor_not_found: [404, 'Factor not found'],
  mfa_factor_name_conflict: [422, 'A factor with this friendly name already exists'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of factors reached'],
  mfa_challenge_expired: [422, 'The challenge has expired. Please ask for a new one.'],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  mfa_webauthn_enroll_not_enabled: [422, 'MFA enroll is disabled for WebAuthn'],
  passkey_disabled: [404, 'Passkeys are disabled'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  provider_disabled: [400, 'Unsupported provider: provider is not enabled'],
  feature_disabled: [404, 'This feature is disabled'],
  request_entity_too_large: [413, 'The request body is too large'],
  unexpected_failure: [500, 'Something went wrong on our side. Please try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorTable

/** An expected failure. The edge turns it into the body that its client expects; anything else thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Members added to the body, such as `weak_password`. Never secrets. */
  readonly extra: Readonly<Record<string, unknown>>

  /** `message` and `status` default to the table's. */
  constructor(
    code: ErrorCode,
    options: { message?: string; status?: number; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    const [status, message] = errorTable[code]
    super(options.message ?? message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? status
    this.extra = options.extra ?? {}
  }
}

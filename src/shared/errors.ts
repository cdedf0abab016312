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
  subscription_not_changeable: [409, 'Your plan cannot be changed like this just now. Please reload the page.'],
  payment_failed: [402, 'Your card was declined. Nothing was changed.'],
  stripe_busy: [503, 'The payment service is busy. Try again in a few seconds; nothing is charged twice.'],
  stripe_unavailable: [502, 'The payment service does not answer. Please try again; nothing is charged twice.'],
  invalid_signature: [400, 'Invalid signature'],
  link_expired: [410, 'This link has expired. Please ask for a new one.'],
  step_up_required: [403, 'Please confirm that it is you'],
  mfa_required: [403, 'Please complete the second step of signing in'],
  mfa_setup_required: [403, 'Admin pages need a second step at sign-in. Please set it up first.'],
  wrong_proof: [400, 'That is not right. Please try again.'],
  wrong_backup_code: [400, 'That code is not valid, or was used already'],
  wrong_confirmation: [400, 'The address does not match your account'],
  // Teams
  no_team_plan: [403, 'This needs a running Team plan'],
  address_not_proven: [403, 'Please confirm your e-mail address first'],
  already_member: [409, 'This person is in your team already'],
  already_in_team: [409, 'You are in a team already. Leave it first, since everybody can be in one team only.'],
  team_full: [409, 'All seats of the team are taken'],
  too_many_invitations: [409, 'Too many invitations are open. Take one back first.'],
  team_plan_lapsed: [409, 'The plan of this team does not run at the moment. Ask its owner.'],
  invitation_invalid: [404, 'This invitation is not valid. It may have been taken back or replaced by a newer one.'],
  invitation_expired: [410, 'This invitation has expired. Ask for a new one.'],
  invitation_used: [410, 'This invitation was used already'],
  invitation_for_another: [403, 'This invitation was sent to another address'],
  not_in_team: [404, 'This person is not in your team'],
  has_own_plan: [409, 'They have a plan of their own. It has to end before they can take over the team.'],
  billed_with_others: [
    409,
    'Your billing account also pays for other products, which would move along. Reply to one of our emails and we’ll hand over the team for you.',
  ],
  // Newsletter
  not_a_draft: [409, 'This mailing is on its way already and can no longer be changed'],
  mailing_changed: [409, 'Somebody else has changed this mailing. Please reload the page.'],
  mailing_not_steerable: [409, 'This mailing cannot be changed like this just now. Please reload the page.'],
  mailing_has_errors: [422, 'The checks found something to mend first'],
  tracking_not_allowed: [409, 'Counting opens and clicks is turned off in the newsletter settings'],
  postal_address_missing: [
    409,
    'Add your postal address in newsletter settings first. US law (CAN-SPAM) requires it in every email to a list.',
  ],
  nobody_to_send_to: [409, 'Nobody would get this mailing. Please look at its audience.'],
  member_has_it: [409, 'This member has it already, or it is on its way'],
  member_gets_nothing: [409, 'This member can’t get it'],
  mail_not_taken: [502, 'The mail server did not take it'],
  already_suppressed: [409, 'This address is on the list already'],
  already_lifted: [409, 'Somebody has lifted this already. Please reload the page.'],
  segment_name_taken: [409, 'There is a segment of this name already'],
  segment_in_use: [409, 'A mailing is to go to this segment. Choose another audience there first.'],
  // Publishing
  edit_conflict: [409, 'Somebody else has saved this meanwhile'],
  not_publishable: [422, 'This is not ready to be published'],
  mailing_scheduled: [409, 'A mailing with this drop is scheduled and won’t go out without it'],
  already_published: [409, 'What readers have seen can be unpublished, not deleted'],
  order_changed: [409, 'The list has changed meanwhile. Please look at it again.'],
  image_in_use: [409, 'This image is in use. Take it out of the texts first.'],
  block_in_use: [409, 'This block is in use. Take it out of the texts first.'],
  address_taken: [409, 'There is one with this name already'],
  unsupported_file: [415, 'Files of this kind are not taken'],
  image_unusable: [422, 'This picture cannot be read'],
  store_unavailable: [502, 'The file store does not answer. Nothing was changed; please try again.'],
  overloaded: [429, 'Too many requests at once. Please try again in a moment.'],

  // Auth protocol, section 2
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'The request is not valid'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_address_invalid: [400, 'No mail can reach this address'],
  email_address_not_authorized: [400, 'Please use an address that lasts: letters to this one would soon be lost.'],
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
  passkey_disabled: [404, 'Passkeys are disabled'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  over_sms_send_rate_limit: [429, 'For security purposes, you can only request this after some seconds.'],
  reauthentication_needed: [400, 'Please confirm that it is you before you change this'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  phone_exists: [422, 'A user with this phone number has already been registered'],
  mfa_verified_factor_exists: [422, 'A verified factor with this phone number exists already'],
  mfa_ip_address_mismatch: [422, 'This challenge was answered already'],
  too_many_passkeys: [422, 'Maximum number of passkeys reached'],
  webauthn_challenge_not_found: [400, 'The challenge is not known, or was answered already'],
  webauthn_challenge_expired: [400, 'The challenge has expired. Please ask for a new one.'],
  webauthn_verification_failed: [400, 'The passkey could not be verified'],
  webauthn_credential_exists: [422, 'This passkey is registered already'],
  captcha_failed: [400, 'The sign-up could not be checked. Please reload the page and try again.'],
  conflict: [409, 'Two requests met. Please try again.'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  provider_disabled: [400, 'Unsupported provider: provider is not enabled'],
  feature_disabled: [404, 'This feature is disabled'],
  sandbox_host: [
    403,
    'The sandbox pages open only under the name of this machine. Use http://localhost, or set PUBLIC_URL.',
  ],
  server_busy: [503, 'The server is busy right now. Please try again in a moment.'],
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
  /** When it is worth trying again, for the header of that name; null where nobody knows. */
  readonly retryAfterSeconds: number | null

  /** `message` and `status` default to the table's. */
  constructor(
    code: ErrorCode,
    options: {
      message?: string
      status?: number
      extra?: Record<string, unknown>
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    const [status, message] = errorTable[code]
    super(options.message ?? message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.status = options.status ?? status
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

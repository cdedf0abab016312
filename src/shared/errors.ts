/**
 * Status and message of each expected error. Codes of the auth protocol keep its names and messages, because existing
 * clients match on them. Our own clients decide by code only; messages are for people.
 */
export const errorTable = {
  // Product calls; clients rely on these texts
  not_authenticated: [401, 'Not authenticated'],
  not_subscribed: [403, 'You need an active subscription to access the portal'],
  not_admin: [403, 'Access denied. Admin privileges required.'],
  role_not_allowed: [403, 'Your role doesn’t include this. Ask an owner if you need it.'],
  invalid_api_key: [401, 'This API key isn’t valid. It may have expired or been revoked.'],
  scope_missing: [403, 'This API key doesn’t have the scope for this.'],
  connection_right_missing: [403, 'This connection may not do that. Connect the assistant again to allow it.'],
  idempotency_key_reused: [422, 'This Idempotency-Key was used for a different request.'],
  last_owner: [409, 'This is the only owner who can sign in. Make someone else an owner first.'],
  staff_changed: [409, 'Someone else changed this person’s access. Check it and try again.'],
  already_staff: [409, 'This person is already on the staff.'],
  staff_account: [403, 'This account belongs to someone on the staff. Only an owner can change it.'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  plan_unavailable: [400, 'This plan isn’t available. Choose another one.'],
  no_billing_account: [409, 'You don’t have a billing account yet. Choose a plan first.'],
  subscription_not_changeable: [409, 'Your plan can’t be changed this way right now. Reload the page and try again.'],
  tax_location_unknown: [
    409,
    'We can’t calculate tax for your billing address. Correct it under Account > Billing > Manage, then try again.',
  ],
  invoice_open: [409, 'You have an unpaid invoice. Pay it first, under Account > Billing.'],
  tax_id_invalid: [400, 'This tax ID isn’t valid. Check the number and its country.'],
  offer_unavailable: [409, 'This offer has ended. You can still start at the regular price.'],
  stay_offer_unavailable: [409, 'This offer has changed or ended. Reload the page to see your plan.'],
  offer_for_new_customers: [409, 'This offer is for new customers. You can start again at the regular price.'],
  offer_code_taken: [409, 'This code is already in use. Choose another one.'],
  gifts_unavailable: [409, 'Gifts aren’t available right now.'],
  gift_invalid: [404, 'This gift link isn’t valid. It may have been replaced by a newer email.'],
  gift_used: [410, 'This gift has already been claimed.'],
  gift_over: [410, 'The time to claim this gift is over.'],
  gift_refunded: [410, 'This gift was refunded, so it can’t be claimed anymore.'],
  gift_to_yourself: [400, 'A gift is for someone else. Enter another person’s address.'],
  gift_not_changeable: [409, 'This gift can’t be changed anymore. Reload the page to see its state.'],
  consent_required: [409, 'The terms have changed. Reload the page to read them.'],
  referral_invalid: [404, 'This invitation isn’t valid anymore. You can still choose a plan.'],
  referral_refused: [409, 'This invitation is for new members.'],
  gift_already_paying: [409, 'You already pay for a plan.'],
  payment_failed: [402, 'Your card was declined and your plan hasn’t changed. Try another card.'],
  stripe_busy: [503, 'The payment service is busy. Try again in a few seconds. You won’t be charged twice.'],
  stripe_unavailable: [502, 'The payment service isn’t responding. Try again. You won’t be charged twice.'],
  invalid_signature: [400, 'Invalid signature'],
  link_expired: [410, 'This link has expired. Request a new one.'],
  step_up_required: [403, 'Confirm it’s you to continue.'],
  mfa_required: [403, 'Complete two-step verification to continue.'],
  mfa_setup_required: [403, 'Admin pages require two-step verification. Set it up first.'],
  reauthentication_failed: [400, 'That didn’t match. Try again.'],
  invalid_backup_code: [400, 'That code isn’t valid or has already been used. Try another one.'],
  confirmation_mismatch: [400, 'The address doesn’t match your account. Check it and try again.'],
  // Teams
  no_team_plan: [403, 'This requires an active Team plan.'],
  address_not_confirmed: [403, 'Confirm your email address first.'],
  already_member: [409, 'This person is already on your team.'],
  already_in_team: [409, 'You’re already on a team. Leave it before you join another one.'],
  team_full: [409, 'All seats on this team are taken. Remove a member to free one.'],
  too_many_invitations: [409, 'You have too many open invitations. Revoke one first.'],
  team_plan_lapsed: [409, 'This team’s plan isn’t active. Ask its owner.'],
  invitation_invalid: [404, 'This invitation isn’t valid. It may have been revoked or replaced by a newer one.'],
  invitation_expired: [410, 'This invitation has expired. Ask for a new one.'],
  invitation_used: [410, 'This invitation has already been used.'],
  invitation_wrong_address: [
    403,
    'This invitation was sent to a different address. Sign in with that address to accept it.',
  ],
  domain_taken: [409, 'This domain already gives access to another team.'],
  domain_code_invalid: [400, 'This code isn’t valid or has expired. Check it, or request a new one.'],
  not_in_team: [404, 'This person isn’t on your team.'],
  has_own_plan: [409, 'They have a plan of their own. It must end before they can take over the team.'],
  customer_has_other_products: [
    409,
    'Your billing account also pays for other products, which would move with the team. Reply to one of our emails and we’ll transfer it for you.',
  ],
  no_team: [403, 'You aren’t on a team with an active plan.'],
  too_many_assignments: [409, 'Your team has reached the limit of 500 open assignments. Check some off first.'],
  // Business profile
  location_not_found: [404, 'This location was deleted. Reload the page.'],
  too_many_locations: [409, 'You’ve reached the limit of 100 locations. Delete one first.'],
  too_many_deadlines: [409, 'You’ve reached the limit of 300 deadlines. Delete some that are done first.'],
  // Answers under drops
  comments_closed: [403, 'You don’t have access to these answers.'],
  comments_suspended: [403, 'The publisher has turned off answering for you. Reply to one of our emails to ask why.'],
  comment_edit_over: [409, 'An answer can be changed for 15 minutes. You can delete it, or add a reply.'],
  // Saved items
  too_many_collections: [409, 'You’ve reached the limit of 200 collections. Delete one first.'],
  // Members
  read_only_view: [403, 'This isn’t available while you view the portal as a member.'],
  refund_changed: [409, 'This invoice was refunded meanwhile. Check the amounts and try again.'],
  refund_too_large: [422, 'That’s more than what’s left of this payment. Enter a smaller amount.'],
  refund_refused: [409, 'Stripe refused the refund.'],
  balance_changed: [409, 'The credit has changed meanwhile. Check the amount and try again.'],
  too_many_notes: [409, 'This member has 500 notes. Delete one first.'],
  // Newsletter
  not_a_draft: [409, 'This mailing is already being sent and can’t be changed.'],
  mailing_changed: [409, 'Someone else changed this mailing. Reload the page to see the latest version.'],
  series_changed: [409, 'Someone else changed this series. Reload the page to see the latest version.'],
  series_is_on: [409, 'This series is on. Pause it first.'],
  mailing_not_changeable: [409, 'This mailing can’t be changed this way right now. Reload the page and try again.'],
  mailing_has_errors: [422, 'The checks found errors. Fix them first.'],
  postal_address_missing: [
    409,
    'Add your postal address in newsletter settings first. US law (CAN-SPAM) requires it in every email to a list.',
  ],
  empty_audience: [409, 'No one would receive this mailing. Check its audience.'],
  already_sent_to_member: [409, 'This member already has this drop, or it’s on its way.'],
  member_not_eligible: [409, 'This member can’t receive this drop.'],
  email_rejected: [502, 'The mail server rejected the email. Try again later.'],
  already_suppressed: [409, 'This address is already on the list.'],
  suppression_already_removed: [409, 'Someone already removed this suppression. Reload the page.'],
  segment_name_taken: [409, 'A segment with this name already exists. Choose another name.'],
  view_name_taken: [409, 'A view with this name already exists. Choose another name.'],
  view_in_use: [409, 'A mailing goes to this view. Choose a different audience for that mailing first.'],
  segment_in_use: [409, 'A mailing uses this segment. Choose a different audience for that mailing first.'],
  // Publishing
  edit_conflict: [409, 'Someone else saved changes to this while you were editing.'],
  not_publishable: [422, 'This isn’t ready to publish. Fix the problems shown.'],
  mailing_scheduled: [409, 'A mailing with this drop is scheduled. Cancel the mailing first.'],
  already_published: [409, 'Published drops can’t be moved.'],
  order_changed: [409, 'The list has changed since you opened it. Check the order and try again.'],
  image_in_use: [409, 'This image is in use. Remove it from the content first.'],
  block_in_use: [409, 'This block is in use. Remove it from the content first.'],
  name_taken: [409, 'That name is already in use. Choose another one.'],
  unsupported_file: [415, 'This file type isn’t supported.'],
  invalid_image: [422, 'This image can’t be read. Try another file.'],
  file_store_unavailable: [502, 'The file store isn’t responding and nothing was saved. Try again.'],
  overloaded: [429, 'Too many requests at once. Try again in a moment.'],

  // Auth protocol, section 2
  bad_json: [400, 'Could not parse request body as JSON'],
  validation_failed: [400, 'The request isn’t valid.'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_address_invalid: [400, 'This address can’t receive email. Use another one.'],
  email_address_not_authorized: [400, 'Disposable email addresses aren’t accepted. Use a permanent one.'],
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
  mfa_challenge_expired: [422, 'The challenge has expired. Request a new one.'],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  mfa_phone_enroll_not_enabled: [422, 'MFA enroll is disabled for Phone'],
  passkey_disabled: [404, 'Passkeys are disabled'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_email_send_rate_limit: [429, 'email rate limit exceeded'],
  over_sms_send_rate_limit: [429, 'For security purposes, you can only request this after some seconds.'],
  reauthentication_needed: [400, 'Confirm it’s you before you change this.'],
  reauthentication_not_valid: [422, 'Nonce has expired or is invalid'],
  phone_exists: [422, 'A user with this phone number has already been registered'],
  mfa_verified_factor_exists: [422, 'A verified factor with this phone number already exists'],
  mfa_ip_address_mismatch: [422, 'This challenge has already been used. Request a new one.'],
  too_many_passkeys: [422, 'Maximum number of passkeys reached'],
  webauthn_challenge_not_found: [400, 'The challenge is unknown or has already been used. Start again.'],
  webauthn_challenge_expired: [400, 'The challenge has expired. Request a new one.'],
  webauthn_verification_failed: [400, 'We couldn’t verify the passkey. Try again.'],
  webauthn_credential_exists: [422, 'This passkey is already registered.'],
  captcha_failed: [400, 'We couldn’t verify the sign-up. Reload the page and try again.'],
  import_ended: [409, 'This import has ended or has changed meanwhile. Reload the page.'],
  conflict: [409, 'Another request changed this at the same time. Try again.'],
  manual_linking_disabled: [404, 'Manual linking is disabled'],
  saml_provider_disabled: [404, 'SAML 2.0 is disabled'],
  web3_provider_disabled: [422, 'Web3 provider is disabled'],
  provider_disabled: [400, 'Unsupported provider: provider is not enabled'],
  feature_disabled: [404, 'This feature is disabled'],
  sandbox_host: [
    403,
    'Sandbox pages are available only at this machine’s own address. Use http://localhost, or set PUBLIC_URL.',
  ],
  server_busy: [503, 'The server is busy right now. Try again in a moment.'],
  service_unavailable: [503, 'We’re having technical problems. Try again in a few minutes.'],
  request_entity_too_large: [413, 'The request body is too large.'],
  unexpected_failure: [500, 'Something went wrong on our end. Try again.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorTable

/** An expected error. Each API surface formats its own response body; anything else thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Additional fields of the response body, such as `weak_password`. Never secrets. */
  readonly extra: Readonly<Record<string, unknown>>
  /** Value of the Retry-After header; null if unknown. */
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

/** Someone saved it meanwhile: `current` is what is stored now, in the form of the call's answer. */
export const conflictOf = (current: unknown) => new AppError('edit_conflict', { extra: { current } })

export type CardBehavior =
  | 'succeeds'
  | 'generic_decline'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'authenticate_once'
  | 'authenticate_always'
  | 'declines_charges'
  | 'disputed'
  | 'inquired'

export type TestCard = { number: string; brand: string; behavior: CardBehavior; label: string; token: string }

/** All card numbers that the sandbox accepts. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', brand: 'visa', behavior: 'succeeds', label: 'Succeeds', token: 'visa' },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    behavior: 'succeeds',
    label: 'Succeeds (Mastercard)',
    token: 'mastercard',
  },
  {
    number: '378282246310005',
    brand: 'amex',
    behavior: 'succeeds',
    label: 'Succeeds (American Express)',
    token: 'amex',
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    behavior: 'generic_decline',
    label: 'Declined',
    token: 'chargeDeclined',
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    behavior: 'insufficient_funds',
    label: 'Insufficient funds',
    token: 'chargeDeclinedInsufficientFunds',
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    behavior: 'expired_card',
    label: 'Expired',
    token: 'chargeDeclinedExpiredCard',
  },
  {
    number: '4000000000000127',
    brand: 'visa',
    behavior: 'incorrect_cvc',
    label: 'Wrong CVC',
    token: 'chargeDeclinedIncorrectCvc',
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    behavior: 'authenticate_once',
    label: 'Authenticates once',
    token: 'authenticationRequiredOnSetup',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    behavior: 'authenticate_always',
    label: 'Authenticates every time',
    token: 'authenticationRequired',
  },
  {
    number: '4000000000000341',
    brand: 'visa',
    behavior: 'declines_charges',
    label: 'Saved, but every charge fails',
    token: 'chargeCustomerFail',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    behavior: 'disputed',
    label: 'Succeeds, then disputed',
    token: 'createDispute',
  },
  {
    number: '4000000000001976',
    brand: 'visa',
    behavior: 'inquired',
    label: 'Succeeds, then the bank asks about it',
    token: 'createDisputeInquiry',
  },
]

export const cardByNumber = (number: string): TestCard | undefined => testCards.find((card) => card.number === number)

/** Stripe's predefined test cards, such as `pm_card_visa` and `tok_visa`. */
export const cardByToken = (token: string): TestCard | undefined =>
  testCards.find((card) => token === `pm_card_${card.token}` || token === `tok_${card.token}`)

export type Decline = { code: string; decline_code: string; message: string }

const declines: { [behavior in CardBehavior]?: Decline } = {
  generic_decline: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  declines_charges: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
  expired_card: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
}

const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
}

export const genericDecline: Decline = {
  code: 'card_declined',
  decline_code: 'generic_decline',
  message: 'Your card was declined.',
}

/** Returns true if saving the card without a charge is declined. …0341 can be saved and is declined afterwards. */
export const declineOnSave = (behavior: CardBehavior): Decline | undefined =>
  behavior === 'declines_charges' ? undefined : declines[behavior]

/** How a charge fails: declined or requires authentication. Undefined if it succeeds. */
export function declineOnCharge(behavior: CardBehavior, authenticated: boolean): Decline | undefined {
  const asksAgain = behavior === 'authenticate_always' || behavior === 'authenticate_once'
  if (asksAgain) return authenticated ? undefined : authenticationRequired
  return declines[behavior]
}

/** Verifies the check digit (Luhn). */
export function passesLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((all, digit, index) => {
    const value = index % 2 === 0 ? digit : digit * 2
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return /^\d{12,19}$/.test(number) && sum % 10 === 0
}

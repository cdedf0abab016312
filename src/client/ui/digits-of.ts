/** The digits of what was typed or pasted ("123 456", "Your code: 123456"), at most `length` of them. */
export const digitsOf = (text: string, length: number) => text.replace(/\D/g, '').slice(0, length)

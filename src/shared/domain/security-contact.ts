/** Returns true if security reports can go there: an email address or an https page. */
export const isSecurityContact = (text: string): boolean =>
  /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(text) || (/^https:\/\/[!-~]+$/.test(text) && URL.canParse(text))

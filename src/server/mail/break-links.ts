/**
 * A stranger's words for an email of the publication: email programs make links of addresses, so a space parts them, as in
 * "https: //evil. example".
 */
export const breakLinks = (text: string): string =>
  text.replace(/(?<=\p{L}):(?=\S)|[.．。｡](?=\p{L})|(?<=\S)@(?=\S)/gu, '$& ')

import type { DomDocument, DomElement, DomNode } from '@mixmark-io/domino'
import { all, childrenOf, create, inLine, type Note, remove, replace } from './split-at-marks.ts'

/** An address that works on its own; empty otherwise. Older posts leave out the protocol ("//example.com/a"). */
const webAddress = (given: string | null | undefined): string => {
  const address = (given ?? '').trim().replace(/^\/\//, 'https://')
  return URL.canParse(address) && /^https?:/i.test(address) ? address : ''
}

function linkOf(document: DomDocument, words: string, address: string): DomNode {
  if (!address) return document.createTextNode(words)
  const link = create(document, 'a', words || address)
  link.setAttribute('href', address)
  return link
}

/** A box of ours, see marked-quotations.ts; the converter marks it. */
export function boxOf(
  document: DomDocument,
  kind: 'bookmark' | 'toggle' | 'gallery',
  ...children: DomNode[]
): DomElement {
  const box = create(document, 'div', ...children)
  box.setAttribute('class', `box-${kind}`)
  return box
}

/** Files that texts can have, by the end of their address. */
const fileEnding = /\.(?:pdf|docx|xlsx|pptx|zip)(?:[?#]|$)/i
const soundEnding = /\.(?:mp3|m4a|wav)(?:[?#]|$)/i

/** A link that the import makes a file or sound, if it can be had. Null for other addresses. */
function fileLinkOf(document: DomDocument, words: string, address: string): DomElement | null {
  const kind = fileEnding.test(address) ? 'file' : soundEnding.test(address) ? 'audio' : null
  if (!kind || /["<>\s]/.test(address)) return null
  const link = create(document, 'a', words)
  link.setAttribute('href', address)
  link.setAttribute('data-file', kind)
  return link
}

/** A picture, a title, texts and a link, each if the card has it. */
function showCard(document: DomDocument, card: DomElement, note: Note, kind: string) {
  const find = (selector: string) => card.querySelector(selector)
  const title = inLine(find('[class*="-title"]:not([class*="container"])')?.textContent ?? '')
  const name = inLine(find('.kg-file-card-filename')?.textContent ?? '')
  const link = find('a[href]')
  const media = find('video, audio') ?? find('source')
  const written = link?.getAttribute('href') ?? media?.getAttribute('src') ?? find('source')?.getAttribute('src') ?? ''
  const address = webAddress(written)
  const button = inLine(find('.kg-product-card-button')?.textContent ?? '')
  const isMedia = /file|audio|video/.test(kind)
  const file = name || decodeName(written.split(/[?#]/)[0]?.split('/').at(-1) ?? '')
  const upload = isMedia && kind !== 'a video' ? fileLinkOf(document, title || file, written) : null
  if (upload) {
    const caption = inLine(find('.kg-file-card-caption, figcaption')?.textContent ?? '')
    return replace(card, create(document, 'p', upload), ...(caption ? [create(document, 'p', caption)] : []))
  }
  if (kind === 'a bookmark' && address && title) return replace(card, bookmarkOf(document, card, title, address))
  if (isMedia && !address) note(`Not imported: ${kind}${file ? ` (${file})` : ''}. Upload the file, and link it`)
  else if (isMedia || kind === 'a bookmark') note(`Changed into a link: ${kind}`)
  const picture = kind === 'a product' ? find('img[src]') : null
  const texts = all(card, '.kg-bookmark-description, .kg-file-card-caption, .kg-product-card-description, figcaption')
  const shown = title || (isMedia ? file : address)
  replace(
    card,
    ...(picture ? [create(document, 'p', picture)] : []),
    ...(shown
      ? [
          create(
            document,
            'p',
            kind === 'a product' ? create(document, 'strong', shown) : linkOf(document, shown, address),
          ),
        ]
      : []),
    ...texts
      .filter((text) => inLine(text.textContent))
      .map((text) => create(document, text.querySelector('p') ? 'div' : 'p', ...childrenOf(text))),
    ...(button && address ? [buttonOf(document, button, address)] : []),
  )
}

const decodeName = (name: string) => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The picture only if the export has it: others' servers may show something else by now. */
function bookmarkOf(document: DomDocument, card: DomElement, title: string, address: string): DomElement {
  const line = inLine(card.querySelector('.kg-bookmark-description')?.textContent ?? '')
  const caption = inLine(card.querySelector('figcaption')?.textContent ?? '')
  const picture = card.querySelector('.kg-bookmark-thumbnail img[src]')
  const isOwn = picture && !webAddress(picture.getAttribute('src'))
  if (isOwn) picture.setAttribute('alt', title)
  const texts = [line, caption].filter(Boolean).map((text) => create(document, 'p', text))
  const link = create(document, 'p', linkOf(document, title, address))
  return boxOf(document, 'bookmark', ...(isOwn ? [create(document, 'p', picture)] : []), link, ...texts)
}

/** Toggles of Ghost and of WordPress, and galleries of both. A gallery's captions are below it. */
export function showBoxes(document: DomDocument) {
  const { body } = document
  for (const toggle of all(body, '.kg-toggle-card, details')) {
    const heading = toggle.querySelector('.kg-toggle-heading-text, summary')
    const content = toggle.querySelector('.kg-toggle-content') ?? toggle
    const words = inLine(heading?.textContent ?? '')
    if (heading) remove(heading)
    replace(toggle, boxOf(document, 'toggle', create(document, 'p', words || 'More'), ...childrenOf(content)))
  }
  for (const gallery of all(body, '.kg-gallery-card, .wp-block-gallery')) {
    const images = all(gallery, 'img[src]')
    if (images.length < 2) continue
    const captions = all(gallery, 'figcaption').map((caption) => create(document, 'p', ...childrenOf(caption)))
    const pictures = images.map((image) => create(document, 'p', image))
    replace(gallery, boxOf(document, 'gallery', ...pictures), ...captions)
  }
  for (const button of all(body, '.wp-block-file__button')) remove(button)
  for (const link of all(body, '.wp-block-file a[href]')) {
    const file = fileLinkOf(document, inLine(link.textContent), link.getAttribute('href') ?? '')
    if (file) replace(link, create(document, 'p', file))
  }
  for (const sound of all(body, '.wp-block-audio audio[src]')) {
    const address = sound.getAttribute('src') ?? ''
    const file = fileLinkOf(document, decodeName(address.split('/').at(-1) ?? ''), address)
    if (file) replace(sound, create(document, 'p', file))
  }
}

function buttonOf(document: DomDocument, words: string, address: string): DomElement {
  const card = create(document, 'div', linkOf(document, words, address))
  card.setAttribute('class', 'kg-button-card')
  return card
}

const cards: readonly [selector: string, kind: string][] = [
  ['.kg-bookmark-card', 'a bookmark'],
  ['.kg-file-card', 'a file'],
  ['.kg-audio-card', 'an audio file'],
  ['.kg-video-card', 'a video'],
  ['.kg-product-card', 'a product'],
]

/** Ghost's cards as what readers saw, without the parts that only work there. One note for each. */
export function showGhostCards(document: DomDocument, note: Note) {
  const { body } = document
  for (const card of all(body, '.kg-signup-card')) {
    note('Removed: a sign-up form')
    remove(card)
  }
  for (const [selector, kind] of cards) for (const card of all(body, selector)) showCard(document, card, note, kind)
  for (const button of all(body, '.kg-toggle-card-icon')) remove(button)
  for (const link of all(body, 'a.kg-cta-button, a.kg-header-card-button')) {
    const address = webAddress(link.getAttribute('href'))
    if (address) replace(link, buttonOf(document, inLine(link.textContent), address))
  }
  for (const frame of all(body, 'iframe[data-src]')) {
    if (!frame.getAttribute('src')) frame.setAttribute('src', frame.getAttribute('data-src') ?? '')
    for (
      let next = frame.nextSibling;
      next && (['SCRIPT', 'NOSCRIPT'].includes(next.nodeName) || !inLine(next.textContent));
      next = frame.nextSibling
    )
      remove(next)
  }
  for (const script of all(body, '.kg-embed-card script')) remove(script)
}

/** Widgets of which a link to their page stays. */
const linkedWidgets: readonly [selector: string, name: string][] = [
  ['.digest-post-embed, .embedded-post-wrap, .embedded-post', 'an embedded post'],
  ['.embedded-publication-wrap, .embedded-publication', 'an embedded publication'],
  [
    '.youtube-wrap, .vimeo-wrap, .spotify-wrap, .soundcloud-wrap, .apple-podcast-container, .instagram-embed-wrap, .tiktok-wrap, .bluesky-wrap, .github-gist, .datawrapper-wrap',
    'an embed or video',
  ],
]

const addressIn = (data: Record<string, unknown>): string => {
  const given = ['canonical_url', 'url', 'base_url', 'href', 'src']
    .map((key) => webAddress(textIn(data, key)))
    .find(Boolean)
  const video = textIn(data, 'videoId')
  return (
    given ??
    (/^[\w-]{5,20}$/.test(video)
      ? `https://${/^\d+$/.test(video) ? 'vimeo.com/' : 'www.youtube.com/watch?v='}${video}`
      : '')
  )
}

/** Substack keeps what a widget shows in JSON beside it. */
export function dataOf(element: DomElement): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(element.getAttribute('data-attrs') ?? '{}')
    return data !== null && typeof data === 'object' ? (data as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
const textIn = (data: Record<string, unknown>, key: string) => (typeof data[key] === 'string' ? data[key] : '')

/** Buttons that do something at Substack only. */
const onlyThere = /\/subscribe\b|\/comments\b|[?&]action=share|%%(?:checkout|share|half_magic)|^%%/

/** Selectors of elements that are left out of a post. */
const lostWidgets: readonly [selector: string, name: string][] = [
  ['.poll-embed', 'a poll'],
  ['.native-video-embed, .native-audio-embed', 'a video or audio file of Substack'],
  ['.subscription-widget-wrap, .subscription-widget-wrap-editor, .subscribe-widget', 'a sign-up form'],
  ['.community-chat, .directMessage, .comment', 'a chat or comment of Substack'],
  ['.image-link-expand', ''],
]

/** Substack's widgets as what readers saw. */
export function showSubstackWidgets(document: DomDocument, note: Note) {
  const { body } = document
  for (const [selector, name] of lostWidgets) {
    for (const widget of all(body, selector)) {
      if (name) note(`Removed: ${name}`)
      remove(widget)
    }
  }
  for (const wrapper of all(body, '.button-wrapper')) {
    const link = wrapper.querySelector('a[href]')
    const address = link?.getAttribute('href') || textIn(dataOf(wrapper), 'url')
    const words = inLine(link?.textContent || textIn(dataOf(wrapper), 'text'))
    if (!words || !address || onlyThere.test(address)) {
      note('Removed: a Subscribe, Share or Comment button')
      remove(wrapper)
    } else {
      const button = create(document, 'a', words)
      button.setAttribute('href', address)
      const card = create(document, 'div', button)
      card.setAttribute('class', 'kg-button-card')
      replace(wrapper, card)
    }
  }
  for (const gallery of all(body, '.image-gallery-embed')) {
    const data = dataOf(gallery)
    const shown = (data.gallery ?? data) as { images?: unknown; caption?: unknown; alt?: unknown }
    const images = Array.isArray(shown.images) ? (shown.images as { src?: unknown }[]) : []
    const caption = typeof shown.caption === 'string' ? shown.caption : ''
    const pictures = images.flatMap(({ src }) => {
      if (typeof src !== 'string') return []
      const image = create(document, 'img')
      image.setAttribute('src', src)
      image.setAttribute('alt', typeof shown.alt === 'string' ? shown.alt : caption)
      return [create(document, 'p', image)]
    })
    replace(
      gallery,
      ...(pictures.length > 1 ? [boxOf(document, 'gallery', ...pictures)] : pictures),
      ...(caption ? [create(document, 'p', create(document, 'em', caption))] : []),
    )
  }
  for (const formula of all(body, '.latex-rendered')) {
    const text = textIn(dataOf(formula), 'persistentExpression') || formula.textContent
    note('Changed into code: a formula')
    replace(formula, create(document, 'pre', create(document, 'code', text)))
  }
  for (const mention of all(body, '.mention-wrap')) {
    replace(mention, linkOf(document, textIn(dataOf(mention), 'name'), addressIn(dataOf(mention))))
  }
  for (const tweet of all(body, '.twitter-embed, .tweet')) {
    const data = dataOf(tweet)
    const author = [textIn(data, 'name'), textIn(data, 'username') && `@${textIn(data, 'username')}`].filter(Boolean)
    const source = linkOf(document, author.join(', ') || 'Source', addressIn(data))
    const words = textIn(data, 'full_text') || tweet.textContent
    replace(tweet, create(document, 'blockquote', create(document, 'p', words), create(document, 'p', '— ', source)))
  }
  for (const [selector, name] of linkedWidgets) {
    for (const widget of all(body, selector)) {
      const data = dataOf(widget)
      const title =
        textIn(data, 'title') ||
        textIn(data, 'name') ||
        inLine(widget.querySelector('h1, h2, h3, h4')?.textContent ?? '')
      const address = addressIn(data) || webAddress(widget.querySelector('a[href]')?.getAttribute('href'))
      if (!address && widget.querySelector('iframe, video, audio')) continue
      const more = textIn(data, 'caption') || textIn(data, 'hero_text') || textIn(data, 'description')
      if (!address) note(`Removed: ${name} without an address`)
      else if (!title || name === 'an embed or video') note(`Changed into a link: ${name}`)
      const shown = title || (address && new URL(address).hostname)
      const shownParts = [
        ...(shown ? [create(document, 'p', linkOf(document, shown, address))] : []),
        ...(more && more !== title ? [create(document, 'p', more)] : []),
      ]
      const isCard = address && title && name !== 'an embed or video'
      replace(widget, ...(isCard ? [boxOf(document, 'bookmark', ...shownParts)] : shownParts))
    }
  }
  for (const callout of all(body, '.callout-block')) callout.setAttribute('class', 'kg-callout-card')
  for (const quote of all(body, '.pullquote')) replace(quote, create(document, 'blockquote', ...childrenOf(quote)))
}

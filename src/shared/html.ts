const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const signs: Record<string, string> = {
  ...Object.fromEntries(Object.entries(entities).map(([sign, entity]) => [entity, sign])),
  '&#x27;': "'",
}

/** For text between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** The text that was escaped, here or by React. */
export function unescapeHtml(html: string): string {
  return html.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => signs[entity] ?? entity)
}

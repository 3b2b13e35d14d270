/** The kinds of files that are made of a recording without its cuts; `mp4` is a film. */
export const renderFormats = ['mp3', 'm4a', 'wav', 'flac', 'ogg', 'opus', 'mp4'] as const
export type RenderFormat = (typeof renderFormats)[number]

/** Stands in a text in place of what was said in a language that the recogniser does not know. */
export const OTHER_LANGUAGE = '[another language]'

/** Whether a turn is nothing but this mark: nobody has written what was said there. */
export const isOtherLanguage = (text: string): boolean => text.trim() === OTHER_LANGUAGE

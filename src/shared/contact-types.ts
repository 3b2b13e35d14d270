/** The subjects of a message to us; the keys are the API's, the names are for people. */
export const contactTypes = {
  general: 'General',
  technical: 'Technical',
  billing: 'Billing',
  complaint: 'Complaint',
  feature: 'Feature request',
  partnership: 'Partnership',
} as const

export const missingInformation = 'Please fill in all required fields.'

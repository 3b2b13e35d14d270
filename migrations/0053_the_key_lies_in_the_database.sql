-- What this server signs with, where SECRET_KEY does not say: see secret-key.ts. The first process writes it.
ALTER TABLE "installation" ADD COLUMN "secret_key" text;

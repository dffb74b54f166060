// Verifies emails with the vendor's client, all at once, and prints what it knows
// of each and of the account, as a JSON object. The timeout is that of a
// verification, in milliseconds.
import { Truelist } from "truelist";

const [baseUrl, token, timeout, ...emails] = process.argv.slice(2);
const client = new Truelist(token, { baseUrl, timeout: Number(timeout) });
const results = await Promise.all(emails.map((email) => client.email.validate(email)));
const account = await new Truelist(token, { baseUrl }).account.get();
console.log(JSON.stringify({ results, account }));
